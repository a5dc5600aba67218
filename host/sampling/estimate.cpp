#include "host/sampling/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/sampling/surface_sampling.h"
#include "host/scene/object_place.h"

namespace sluice::io {
namespace {

constexpr double kPi = 3.14159265358979323846;
// Measured as the largest memory of check, over the particles of scenes of 2 million; those of bodies are assumed
// alike.
constexpr double kFluidBytes = 160, kBoundaryBytes = 180, kRigidBytes = 180;

double area_of(const Shape& s) {
  const double r = s.radius, y = s.height;
  const Vec3 b = s.box;
  switch (s.kind) {
    case ShapeKind::box:
      return 2 * (b.x * b.y + b.y * b.z + b.z * b.x);
    case ShapeKind::wedge:
      return b.x * b.y + b.z * (b.x + b.y + std::sqrt(b.x * b.x + b.y * b.y));
    case ShapeKind::pyramid:
      return b.x * b.z + b.x * std::sqrt(b.y * b.y + 0.25 * b.z * b.z) + b.z * std::sqrt(b.y * b.y + 0.25 * b.x * b.x);
    case ShapeKind::sphere:
      return 4 * kPi * r * r;
    case ShapeKind::cylinder:
      return 2 * kPi * r * (r + y);
    case ShapeKind::capsule:
      return 2 * kPi * r * (2 * r + y);
    case ShapeKind::cone:
      return kPi * r * (r + std::sqrt(r * r + y * y));
    case ShapeKind::torus:
      return 4 * kPi * kPi * r * s.tube;
    case ShapeKind::mesh:
      break;
  }
  return 0;
}

double volume_of(const Shape& s) {
  const double r = s.radius, y = s.height, box = s.box.x * s.box.y * s.box.z;
  switch (s.kind) {
    case ShapeKind::box:
      return box;
    case ShapeKind::wedge:
      return box / 2;
    case ShapeKind::pyramid:
      return box / 3;
    case ShapeKind::sphere:
      return 4.0 / 3 * kPi * r * r * r;
    case ShapeKind::cylinder:
      return kPi * r * r * y;
    case ShapeKind::capsule:
      return kPi * r * r * (y + 4.0 / 3 * r);
    case ShapeKind::cone:
      return kPi * r * r * y / 3;
    case ShapeKind::torus:
      return 2 * kPi * kPi * r * s.tube * s.tube;
    case ShapeKind::mesh:
      break;
  }
  return 0;
}

// How many times as many samples a rigid body has with the layer behind the first, which is as large as the shape
// scaled down until the faces of one that touches a ball from all sides are kInnerDepth farther in.
double layers_of(const Shape& shape, double h) {
  constexpr double kInnerDepth = 1.55;  // h
  const double area = area_of(shape);
  const double left = area > 0 ? 1 - kInnerDepth * h * area / (3 * volume_of(shape)) : 0;
  return 1 + (left > 0 ? left * left : 0);
}

double copies(const Object& object) {
  const auto& n = object.repeat.count;
  return object.has_repeat ? 1.0 * n[0] * n[1] * n[2] : 1;
}

}  // namespace

Vec3 fluid_cells(const Object& object, double h) {
  const auto cells = [&](double length) { return std::max(1.0, std::round(length / h)); };
  return {cells(object.shape.box.x), cells(object.shape.box.y), cells(object.shape.box.z)};
}

std::vector<double> expected_samples(const SceneFile& file) {
  std::vector<double> samples;
  const bool wet = file.solver.mode != SolverMode::paper &&
                   std::any_of(file.objects.begin(), file.objects.end(),
                               [](const Object& object) { return object.role == Role::fluid; });
  for (const Object& object : file.objects) {
    double each = area_of(object.shape) / (file.spacing * file.spacing);
    if (object.role == Role::boundary) each *= 2;
    if (object.role == Role::rigid && wet) each *= layers_of(object.shape, file.spacing);
    if (object.role == Role::fluid) {
      const Vec3 n = fluid_cells(object, file.spacing);
      each = n.x * n.y * n.z;
    }
    samples.push_back(each * copies(object));
  }
  return samples;
}

void check_expected(const SceneFile& file, const std::vector<double>& samples) {
  std::array<double, 3> sums{};
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    const Object& object = file.objects[i];
    const std::string unit = "; is \"particleSpacing\", " + short_number(file.spacing) + ", in metres?";
    if (object.role == Role::fluid) {
      if (object.shape.kind != ShapeKind::box)
        throw Error(place_of(file, object) + "fluid can fill boxes only; give the shape a \"box\"");
      const Vec3 b = object.shape.box;
      if (std::max({b.x, b.y, b.z}) < 0.5 * file.spacing)
        throw Error(place_of(file, object) + "the box is smaller than half a particle, which is " +
                    short_number(file.spacing) + " m wide; use a smaller particleSpacing or a larger box" + unit);
    }
    double& sum = sums[static_cast<std::size_t>(object.role)];
    sum += samples[i];
    if (sum < kMaxParticles) continue;
    const bool fluid = object.role == Role::fluid;
    throw Error(place_of(file, object) + "with it the scene would have more than 268 million " +
                (fluid ? "particles" : "samples") + ", about " + short_number(sum) +
                "; use a larger particleSpacing or a smaller " + (fluid ? "box" : "shape") + unit);
  }
}

double sampling_bytes(const SceneFile& file, const std::vector<double>& samples) {
  double bytes = 0;
  for (std::size_t i = 0; i < samples.size(); ++i)
    bytes += samples[i] * (file.objects[i].role == Role::fluid   ? kFluidBytes
                           : file.objects[i].role == Role::rigid ? kRigidBytes
                                                                 : kBoundaryBytes);
  return bytes;
}

}  // namespace sluice::io
