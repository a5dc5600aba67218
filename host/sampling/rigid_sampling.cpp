#include "host/sampling/rigid_sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "host/sampling/inner_layer.h"
#include "host/sampling/inset_sampling.h"
#include "host/sampling/mass.h"
#include "host/sampling/object_geometry.h"
#include "host/sampling/rest_volume.h"
#include "host/sampling/revolution.h"
#include "host/sampling/round_sampling.h"
#include "host/sampling/shape_mesh.h"
#include "host/sampling/surface_sampling.h"
#include "host/scene/scene_pairs.h"

namespace sluice::io {
namespace {

// What makes two objects' samples the same.
struct ShapeKey {
  ShapeKind kind;
  SurfaceSetting surface;
  std::array<double, 9> lengths;
  std::array<double, 3> round_about;
  std::string mesh;
  auto operator<=>(const ShapeKey&) const = default;
};

ShapeKey key_of(const Object& object) {
  const Shape& s = object.shape;
  ShapeKey key{s.kind, object.surface, {}, {}, {}};
  // Only what the kind uses: the rest may hold anything.
  switch (s.kind) {
    case ShapeKind::box:
    case ShapeKind::wedge:
    case ShapeKind::pyramid:
      key.lengths = {s.box.x, s.box.y, s.box.z};
      break;
    case ShapeKind::mesh:
      key.lengths = {s.scale.x, s.scale.y, s.scale.z};
      if (s.round_about) key.round_about = {s.round_about->x, s.round_about->y, s.round_about->z};
      key.mesh = s.mesh.lexically_normal().string();
      break;
    case ShapeKind::sphere:
      key.lengths = {s.radius};
      break;
    case ShapeKind::torus:
      key.lengths = {s.radius, s.tube};
      break;
    default:
      key.lengths = {s.radius, s.height};
  }
  return key;
}

// A shape as the objects that have it need it.
struct Template {
  const Geometry* geometry = nullptr;
  std::uint32_t shape = 0;  // index into Scene::shapes
  MassProperties mass;      // of density 1: of the solid, or of the shell where the shape is not closed
  ObjectReport report;
};

std::uint64_t spread_bits(std::uint64_t v) {  // 21 bits to every third of 63
  v &= 0x1FFFFF;
  v = (v | v << 32) & 0x001F00000000FFFFu;
  v = (v | v << 16) & 0x001F0000FF0000FFu;
  v = (v | v << 8) & 0x100F00F00F00F00Fu;
  v = (v | v << 4) & 0x10C30C30C30C30C3u;
  v = (v | v << 2) & 0x1249249249249249u;
  return v;
}

// Samples that touch something are neighbours, and so come to lie in a few runs.
std::vector<std::uint32_t> morton_order(const std::vector<Vec3>& points, double cell) {
  Vec3 low = points.at(0);
  for (const Vec3& p : points) low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
  // A lattice of spacing h from the lowest point on lies a quarter of a cell off the cells' sides.
  const auto index = [&](double v) { return spread_bits(static_cast<std::uint64_t>(v / cell + 0.25)); };
  std::vector<std::uint64_t> codes;
  for (const Vec3& p : points) codes.push_back(index(p.x - low.x) | index(p.y - low.y) << 1 | index(p.z - low.z) << 2);
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return codes[a] < codes[b]; });
  return order;
}

InsetSamples sample_rigid_box(const Shape& shape, bool on_surface, double h) {
  const Vec3 lengths = inset_lengths(shape.box, on_surface, h);
  InsetSamples out{sample_box(lengths, Open::none, h, BoxSpacing::at_most_h), {}};
  const auto inset = [&](double p, double length, double drawn) {
    return length > 0 && std::abs(p) >= 0.5 * length * (1 - 1e-9) ? (drawn - length) / 2 : kFullInset * h;
  };
  for (const Vec3& p : out.positions)
    out.insets.push_back(lengths.x > 0 && lengths.y > 0 && lengths.z > 0
                             ? std::min({inset(p.x, lengths.x, shape.box.x), inset(p.y, lengths.y, shape.box.y),
                                         inset(p.z, lengths.z, shape.box.z)})
                             : 0);
  return out;
}

InsetSamples sample_rigid(const Geometry& geometry, bool on_surface, double h) {
  if (geometry.shape.kind == ShapeKind::box) return sample_rigid_box(geometry.shape, on_surface, h);
  if (std::optional<InsetSamples> round = sample_round(geometry.shape, on_surface, h)) return *std::move(round);
  if (geometry.closed && !on_surface) return sample_inset_mesh(geometry.mesh, geometry.columns, h);
  InsetSamples out{sample_mesh(geometry.mesh, h, overlapping_columns(geometry)), {}};
  out.insets.assign(out.positions.size(), 0);
  return out;
}

void report_volumes(const std::vector<double>& volumes, ObjectReport& report) {
  const double count = static_cast<double>(volumes.size());
  report.volume_min = *std::min_element(volumes.begin(), volumes.end());
  report.volume_max = *std::max_element(volumes.begin(), volumes.end());
  report.volume_mean = std::accumulate(volumes.begin(), volumes.end(), 0.0) / count;
  double squares = 0;
  for (const double v : volumes) squares += (v - report.volume_mean) * (v - report.volume_mean);
  report.volume_deviation = std::sqrt(squares / count);
}

void check_rigid_mesh(Geometry& geometry, const Object& object, double h, std::vector<std::string>& warnings) {
  const std::string about = quoted(object) + ": " + describe_shape(geometry.shape);
  if (const std::size_t twice = geometry.mesh.repeated; twice > 0)
    warnings.push_back(about + " lists " + std::to_string(twice) +
                       (twice == 1 ? " face twice; it counts" : " faces twice; they count") +
                       " once: merge doubled vertices and faces");
  if (geometry.mesh.crossed > 0) warnings.push_back(quoted(object) + ": " + describe_crossed(geometry));
  if (const std::string small = describe_small(geometry, h); !small.empty())
    warnings.push_back(quoted(object) + ": " + small);
  if (!geometry.closed || geometry.shape.kind == ShapeKind::box) return;
  for (const std::string& sentence : describe_shells(geometry.shells, geometry.facts.volume, about))
    warnings.push_back(sentence);
  if (geometry.facts.odd_edges > 0)
    warnings.push_back(about +
                       " has faces that point both ways, so its mass and inertia may be wrong: recalculate its "
                       "normals, or give \"mass\" and \"inertia\"");
  if (geometry.facts.volume >= 0) return;
  if (geometry.facts.odd_edges == 0)
    warnings.push_back(about +
                       " is inside out: its faces point inwards. They are taken as flipped; recalculate its normals to "
                       "be rid of this");
  flip_faces(geometry);
}

Template make_template(const SceneFile& file, const Object& object, Scene& scene, std::deque<Geometry>& geometries,
                       std::vector<std::string>& warnings) {
  const double h = file.spacing;
  Geometry& geometry = geometries.emplace_back(geometry_of(object, h, file));
  check_rigid_mesh(geometry, object, h, warnings);
  Template out;
  out.geometry = &geometry;
  out.mass = has_exact_mass(object.shape.kind) ? exact_mass(object.shape)
             : geometry.closed                 ? mesh_mass(geometry.mesh, geometry.shells.excess)
                                               : shell_mass(geometry.mesh);
  const bool on_surface = object.surface == SurfaceSetting::sampled;
  const InsetSamples samples = named_errors(file, object, [&] { return sample_rigid(geometry, on_surface, h); });
  if (object.shape.kind == ShapeKind::box && std::min({object.shape.box.x, object.shape.box.y, object.shape.box.z}) < h)
    warnings.push_back(quoted(object) +
                       " is thinner than the particle spacing; it gets one plane of samples, and what is fast may pass "
                       "through it: make it thicker or use a smaller spacing");

  const std::vector<double> volumes =
      rest_weights(samples.positions, h, file.solver.gamma, std::numeric_limits<double>::infinity());
  out.shape = static_cast<std::uint32_t>(scene.shapes.size());
  RigidShape& shape = scene.shapes.emplace_back();
  shape.name = object.name;
  shape.round = moved(revolution_of(geometry), {}, -1 * out.mass.center);
  shape.samples.reserve(samples.positions.size());
  for (const std::uint32_t i : morton_order(samples.positions, 2 * h))
    shape.samples.push_back({samples.positions[i] - out.mass.center, volumes[i]});
  const auto is_fluid = [](const Object& other) { return other.role == Role::fluid; };
  if (file.solver.mode != SolverMode::paper && std::any_of(file.objects.begin(), file.objects.end(), is_fluid)) {
    const std::vector<Vec3> inner = inner_layer(object, geometry, samples, h);
    const std::vector<double> inner_volumes = rest_weights(inner, h, file.solver.gamma);
    if (!inner.empty())
      for (const std::uint32_t i : morton_order(inner, 2 * h))
        shape.samples.push_back({inner[i] - out.mass.center, inner_volumes[i]});
  }
  const auto shallow = std::count_if(samples.insets.begin(), samples.insets.end(),
                                     [&](double inset) { return inset < 0.999 * kFullInset * h; });
  out.report.shallow = static_cast<double>(shallow) / static_cast<double>(samples.insets.size());
  report_volumes(volumes, out.report);
  return out;
}

void set_mass(const SceneFile& file, const Object& object, const Template& shape, RigidBody& body,
              std::vector<std::string>& warnings) {
  const RigidSettings& rigid = object.rigid;
  const std::string about = describe_shape(object.shape);
  if (!shape.geometry->closed && !rigid.mass)
    throw Error(place_of(file, object) + about + " " + describe_opening(*shape.geometry) +
                ", so it has no mass of its own; close it, or give \"mass\" and \"inertia\"");
  if (!shape.geometry->closed && !rigid.inertia)
    warnings.push_back(quoted(object) + ": " + about + " " + describe_opening(*shape.geometry) +
                       "; its inertia is that of a thin shell: close it, or give \"inertia\"");
  body.mass = rigid.mass ? *rigid.mass : rigid_material_of(file, object).density * shape.mass.mass;
  if (!(body.mass > 0) || !std::isfinite(body.mass))
    throw Error(place_of(file, object) + "its mass, " + short_number(body.mass) +
                " kg, is not a positive number; change its size, or give \"mass\" and \"inertia\"");
  body.inertia = shape.mass.inertia;
  for (double& element : body.inertia) element *= body.mass / shape.mass.mass;
  if (rigid.inertia) body.inertia = *rigid.inertia;
  const bool mixed = shape.geometry->closed && shape.geometry->facts.odd_edges > 0;
  if (!is_positive_definite(body.inertia) && !rigid.inertia && mixed)
    throw Error(place_of(file, object) + about +
                " has faces that point both ways, so it has no mass and inertia of its own: recalculate its normals, "
                "or give \"mass\" and \"inertia\"");
  if (!is_positive_definite(body.inertia))
    throw Error(place_of(file, object) +
                "its inertia is not positive definite: it resists no turning about some axis; give its \"inertia\"");
}

}  // namespace

void add_rigid_bodies(const SceneFile& file, Scene& scene, std::deque<Geometry>& geometries, Solids& solids,
                      SamplingReport& report) {
  std::map<ShapeKey, Template> templates;
  double samples = 0;
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    const Object& object = file.objects[o];
    if (object.role != Role::rigid) continue;
    const RigidMaterial& material = rigid_material_of(file, object);
    const ShapeKey key = key_of(object);
    auto found = templates.find(key);
    if (found == templates.end()) {
      found = templates.emplace(key, make_template(file, object, scene, geometries, report.warnings)).first;
      const Geometry& geometry = *found->second.geometry;
      report.shape_meshes.push_back(object.shape.kind == ShapeKind::box ? mesh_of_primitive(object.shape, file.spacing)
                                                                        : geometry.mesh);
    }
    const Template& shape = found->second;

    RigidBody body;
    body.shape = shape.shape;
    set_mass(file, object, shape, body, report.warnings);
    body.center_of_mass = shape.mass.center;
    body.orientation = object.rotation;
    body.velocity = object.velocity;
    body.angular_velocity = object.rigid.angular_velocity;
    body.friction = object.friction.value_or(material.friction);
    body.friction_class = friction_class_of(file, object.material);
    body.restitution = object.restitution.value_or(material.restitution);
    body.gravity_scale = object.rigid.gravity_scale;
    body.force = object.rigid.force;
    body.torque = object.rigid.torque;
    body.free_translation = object.rigid.free_translation;
    body.turning = object.rigid.turning;
    body.axis = normalized(object.rigid.axis);
    Surface surface{&object, shape.geometry, {}, 0, false};
    const std::vector<Copy> copies = copies_of(object);
    samples += static_cast<double>(copies.size()) * static_cast<double>(scene.shapes[body.shape].samples.size());
    if (samples > kMaxParticles)
      throw Error(place_of(file, object) + "more than 268 million rigid samples so far; use a larger particleSpacing");
    for (const Copy& copy : copies) {
      surface.position = object.position + copy.offset;
      surface.body = static_cast<std::uint32_t>(scene.bodies.size() + scene.rigid.size());
      body.name = copy.name;
      body.position = surface.position + rotate(object.rotation, shape.mass.center);
      scene.rigid.push_back(body);
      solids.surfaces.push_back(surface);
    }
    ObjectReport& out = report.objects[o];
    out = shape.report;
    out.name = object.name;
    out.role = object.role;
    out.bodies = copies.size();
    out.particles = copies.size() * scene.shapes[body.shape].samples.size();
    out.mass = body.mass;
  }
}

}  // namespace sluice::io
