#include "host/sampling/mass.h"

#include <algorithm>

namespace sluice::io {
namespace {

constexpr double kPi = 3.14159265358979323846;

std::array<double, 6> products(Vec3 v) { return {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z}; }

// Of a simplex of `size` with these corners, which number `corners` together with any at the origin: the mean of x
// is s / n and that of x x^T is (sum v v^T + s s^T) / (n (n + 1)), with s the sum of the n corners.
void add_simplex(Moments& moments, double size, Vec3 a, Vec3 b, Vec3 c, int corners) {
  const Vec3 sum = a + b + c;
  moments.zeroth += size;
  moments.first = moments.first + (size / corners) * sum;
  const auto aa = products(a), bb = products(b), cc = products(c), ss = products(sum);
  for (std::size_t i = 0; i < 6; ++i)
    moments.second[i] += size / (corners * (corners + 1)) * (aa[i] + bb[i] + cc[i] + ss[i]);
}

MassProperties about_center(const Moments& moments, Vec3 origin) {
  MassProperties out;
  out.mass = moments.zeroth;
  if (moments.zeroth == 0) return out;
  const Vec3 mean = (1 / moments.zeroth) * moments.first;
  out.center = origin + mean;
  std::array<double, 6> c = products(mean);
  for (std::size_t i = 0; i < 6; ++i) c[i] = moments.second[i] - moments.zeroth * c[i];
  out.inertia = {c[1] + c[2], c[0] + c[2], c[0] + c[1], -c[3], -c[4], -c[5]};
  return out;
}

// About the middle of the bounding box: a mesh far from its origin loses no digits.
Vec3 middle_of(const TriangleMesh& mesh) {
  const auto [low, high] = bounds_of(mesh);
  return 0.5 * (low + high);
}

// Of a body that turning about y leaves alone.
MassProperties about_y(double mass, double center_y, double along, double across) {
  return {mass, {0, center_y, 0}, {mass * across, mass * along, mass * across, 0, 0, 0}};
}

}  // namespace

bool has_exact_mass(ShapeKind kind) {
  return kind != ShapeKind::wedge && kind != ShapeKind::pyramid && kind != ShapeKind::mesh;
}

MassProperties exact_mass(const Shape& shape) {
  const double r = shape.radius, l = shape.height, t = shape.tube;
  switch (shape.kind) {
    case ShapeKind::box: {
      const Vec3 b = shape.box;
      const double mass = b.x * b.y * b.z, part = mass / 12;
      return {
          mass,
          {},
          {part * (b.y * b.y + b.z * b.z), part * (b.x * b.x + b.z * b.z), part * (b.x * b.x + b.y * b.y), 0, 0, 0}};
    }
    case ShapeKind::sphere:
      return about_y(4.0 / 3 * kPi * r * r * r, 0, 0.4 * r * r, 0.4 * r * r);
    case ShapeKind::cylinder:
      return about_y(kPi * r * r * l, 0, 0.5 * r * r, (3 * r * r + l * l) / 12);
    case ShapeKind::cone:  // its centre of mass lies a quarter of the height above the base
      return about_y(kPi * r * r * l / 3, -0.25 * l, 0.3 * r * r, 0.15 * r * r + 0.0375 * l * l);
    case ShapeKind::torus:
      return about_y(2 * kPi * kPi * r * t * t, 0, r * r + 0.75 * t * t, 0.5 * r * r + 0.625 * t * t);
    case ShapeKind::capsule: {
      const double middle = kPi * r * r * l, caps = 4.0 / 3 * kPi * r * r * r, mass = middle + caps;
      const double along = (middle * 0.5 + caps * 0.4) * r * r;
      // Of the caps: a ball, its halves moved out by l / 2, their own centres 3/8 r farther.
      const double across = middle * (3 * r * r + l * l) / 12 + caps * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
      return about_y(mass, 0, along / mass, across / mass);
    }
    default:
      return {};
  }
}

MassProperties mesh_mass(const TriangleMesh& mesh, const Moments& excess) {
  const Vec3 middle = middle_of(mesh);
  Moments moments;
  for (const auto& [ia, ib, ic] : mesh.triangles) {
    const Vec3 a = mesh.vertices[ia] - middle, b = mesh.vertices[ib] - middle, c = mesh.vertices[ic] - middle;
    add_simplex(moments, dot(a, cross(b, c)) / 6, a, b, c, 4);
  }
  moments.zeroth -= excess.zeroth;
  moments.first = moments.first - excess.first;
  for (std::size_t i = 0; i < 6; ++i) moments.second[i] -= excess.second[i];
  return about_center(moments, middle);
}

MassProperties shell_mass(const TriangleMesh& mesh) {
  const Vec3 middle = middle_of(mesh);
  Moments moments;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [ia, ib, ic] = mesh.triangles[t];
    add_simplex(moments, triangle_area(mesh, t), mesh.vertices[ia] - middle, mesh.vertices[ib] - middle,
                mesh.vertices[ic] - middle, 3);
  }
  return about_center(moments, middle);
}

}  // namespace sluice::io
