#include "host/sampling/unit_warnings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "host/scene/object_place.h"

namespace sluice::io {
namespace {

constexpr double kFewest = 3;  // particles across an object, below which nothing moves in it as it should

// Without its repeats, m, along its own axes.
Vec3 size_of(const Object& object, const Geometry* geometry) {
  if (object.shape.kind == ShapeKind::box || !geometry) return object.shape.box;
  return geometry->facts.high - geometry->facts.low;
}

double largest(Vec3 v) { return std::max({v.x, v.y, v.z}); }

// By index among the scene's objects; null of fluids.
std::vector<const Geometry*> geometries_of(const SceneFile& file, const Solids& solids) {
  std::vector<const Geometry*> found(file.objects.size());
  for (const Surface& surface : solids.surfaces)
    found[static_cast<std::size_t>(surface.object - file.objects.data())] = surface.geometry;
  return found;
}

struct Extent {
  Vec3 low, high;
};

// In the world, of a fluid box and all its copies.
Extent extent_of(const Object& object) {
  Vec3 half;
  for (const Vec3 side : {Vec3{object.shape.box.x, 0, 0}, {0, object.shape.box.y, 0}, {0, 0, object.shape.box.z}}) {
    const Vec3 turned = rotate(object.rotation, 0.5 * side);
    half = half + Vec3{std::abs(turned.x), std::abs(turned.y), std::abs(turned.z)};
  }
  const Vec3 last{(object.repeat.count[0] - 1) * object.repeat.step.x,
                  (object.repeat.count[1] - 1) * object.repeat.step.y,
                  (object.repeat.count[2] - 1) * object.repeat.step.z};
  const auto low = [](double a) { return std::min(a, 0.0); };
  const auto high = [](double a) { return std::max(a, 0.0); };
  return {object.position - half + Vec3{low(last.x), low(last.y), low(last.z)},
          object.position + half + Vec3{high(last.x), high(last.y), high(last.z)}};
}

// Blocks side by side are one, as those that make up a ball.
bool touches_other_fluid(const SceneFile& file, const Object& object) {
  if (object.has_repeat) return true;
  const Extent a = extent_of(object);
  const double near = 0.5 * file.spacing;
  return std::any_of(file.objects.begin(), file.objects.end(), [&](const Object& other) {
    if (other.role != Role::fluid || &other == &object) return false;
    const Extent b = extent_of(other);
    return std::max({a.low.x - b.high.x, b.low.x - a.high.x, a.low.y - b.high.y, b.low.y - a.high.y, a.low.z - b.high.z,
                     b.low.z - a.high.z}) < near;
  });
}

}  // namespace

// A plate may be thin, a rod or a pebble not.
void warn_coarse(const SceneFile& file, const Solids& solids, std::vector<std::string>& warnings) {
  constexpr std::size_t kCompared = 1000;  // fluids; more of them are a drawing, whose parts may be small
  const std::vector<const Geometry*> geometries = geometries_of(file, solids);
  const auto fluids = std::count_if(file.objects.begin(), file.objects.end(),
                                    [](const Object& object) { return object.role == Role::fluid; });
  const Object* coarsest = nullptr;
  double least = 0;
  std::size_t count = 0;
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    const Object& object = file.objects[o];
    const bool fluid = object.role == Role::fluid;
    if (object.role == Role::boundary || (fluid && static_cast<std::size_t>(fluids) > kCompared)) continue;
    const Vec3 size = size_of(object, geometries[o]);
    std::array<double, 3> lengths{size.x, size.y, size.z};
    std::sort(lengths.begin(), lengths.end());
    const double across = fluid ? lengths[0] : lengths[1];
    if (std::round(across / file.spacing) >= kFewest) continue;
    if (!fluid && lengths[0] < file.spacing) continue;  // told of as thin, or as a mesh in other units
    if (fluid && touches_other_fluid(file, object)) continue;
    ++count;
    if (coarsest && across >= least) continue;
    coarsest = &object;
    least = across;
  }
  if (!coarsest) return;
  const double particles = std::max(1.0, std::round(least / file.spacing));
  warnings.push_back(quoted(*coarsest) + " is " + short_number(least) + " m across, which is resolved by " +
                     short_number(particles) + (particles == 1 ? " particle" : " particles") +
                     (count > 1 ? " (and " + std::to_string(count - 1) +
                                      (count == 2 ? " other object is" : " other objects are") + " as coarse)"
                                : "") +
                     "; use a particleSpacing of at most " + short_number(least / kFewest) + " m, or make it larger");
}

// Tells of meshes in centimetres or millimetres; those of over 13 million samples have been refused before.
void warn_mesh_sizes(const SceneFile& file, const Solids& solids, std::vector<std::string>& warnings) {
  // A tank or a landscape is larger than what it holds, and a body smaller, but not by this.
  constexpr double kLargeBody = 5, kLargeBoundary = 30, kSmall = 50;
  const std::vector<const Geometry*> geometries = geometries_of(file, solids);
  std::vector<double> sizes;
  for (std::size_t o = 0; o < file.objects.size(); ++o)
    sizes.push_back(largest(size_of(file.objects[o], geometries[o])));
  std::vector<double> sorted = sizes;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() < 2) return;
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    const Object& object = file.objects[o];
    if (object.shape.kind != ShapeKind::mesh || object.role == Role::fluid) continue;
    const double size = sizes[o], others = size == sorted.back() ? sorted[sorted.size() - 2] : sorted.back();
    const std::string about = quoted(object) + ": " + describe_shape(object.shape) + " is " +
                              size_text(geometries[o]->facts) + " large with its scale, ";
    if (size > (object.role == Role::rigid ? kLargeBody : kLargeBoundary) * others)
      warnings.push_back(about + "and the largest other object " + length_text(others) +
                         "; if it was drawn in centimetres, give it \"scale\": " + scale_text(object.shape, 0.01) +
                         ", if in millimetres, " + scale_text(object.shape, 0.001));
    else if (size * kSmall < others && size >= file.spacing && size < kFewest * file.spacing)
      warnings.push_back(about + "and the largest other object " + length_text(others) +
                         "; if that is 100 or 1000 times too small, give it \"scale\": " +
                         scale_text(object.shape, 100) + " or " + scale_text(object.shape, 1000));
  }
}

// Water has 1, gold 19.3 g/cm^3; below 20 kg/m^3 there are foams and gases alone.
void warn_densities(const SceneFile& file, std::vector<std::string>& warnings) {
  constexpr double kLight = 20, kGramsPerCubicCentimetre = 1000;
  const auto plain = [](double value) {  // 1000 rather than 1e+03
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return std::string(text);
  };
  const auto tell = [&](const std::string& name, double density, Role role) {
    if (density >= kLight) return;
    const bool used = std::any_of(file.objects.begin(), file.objects.end(), [&](const Object& object) {
      return object.role == role && object.material == name && !object.rigid.mass;
    });
    if (used)
      warnings.push_back("\"" + name + "\" has a density of " + plain(density) + " kg/m^3, and water has 1000; if " +
                         plain(density) + " g/cm^3 were meant, write " + plain(kGramsPerCubicCentimetre * density));
  };
  for (const FluidMaterial& material : file.materials) tell(material.name, material.density, Role::fluid);
  for (const RigidMaterial& material : file.rigid_materials) tell(material.name, material.density, Role::rigid);
}

}  // namespace sluice::io
