#include "host/sampling/sampling.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include "host/sampling/backing.h"
#include "host/sampling/domain.h"
#include "host/sampling/estimate.h"
#include "host/sampling/fall_warnings.h"
#include "host/sampling/geometry.h"
#include "host/sampling/inset_sampling.h"
#include "host/sampling/object_geometry.h"
#include "host/sampling/overlap.h"
#include "host/sampling/point_grid.h"
#include "host/sampling/rest_volume.h"
#include "host/sampling/revolution.h"
#include "host/sampling/rigid_sampling.h"
#include "host/sampling/round_sampling.h"
#include "host/sampling/run_warnings.h"
#include "host/sampling/safe_start.h"
#include "host/sampling/surface_sampling.h"
#include "host/sampling/unit_warnings.h"
#include "host/scene/scene_limits.h"
#include "host/scene/scene_pairs.h"
#include "sluice/sluice.h"

namespace sluice::io {
namespace {

constexpr double kSameSample = 1e-6;  // in spacings: nearer samples are one sample drawn twice

// A flat or hollow mesh has hardly any volume for its area; these are the lengths at which a cube, a ball and a
// plate are one spacing, one spacing and a third of one thick.
bool thinner_than(const Geometry& geometry, double h) {
  const Vec3 size =
      geometry.shape.kind == ShapeKind::box ? geometry.shape.box : geometry.facts.high - geometry.facts.low;
  return std::min({size.x, size.y, size.z}) < h ||
         (geometry.shape.kind != ShapeKind::box && 2 * std::abs(geometry.facts.volume) < geometry.facts.area * h / 3);
}

void check_boundary(const Geometry& geometry, const Object& object, bool container, double h, const SceneFile& file,
                    std::vector<std::string>& warnings) {
  const std::string shape = describe_shape(geometry.shape);
  if (geometry.mesh.crossed > 0) warnings.push_back(quoted(object) + ": " + describe_crossed(geometry));
  const std::string small = describe_small(geometry, h);
  if (!small.empty()) warnings.push_back(quoted(object) + ": " + small);
  if (!geometry.closed) {
    warnings.push_back(quoted(object) + ": " + shape + " " + describe_opening(geometry) +
                       "; fluid meets it from both sides, and none is removed behind it");
    return;
  }
  if (geometry.facts.odd_edges > 0)
    warnings.push_back(quoted(object) + ": the faces of " + shape +
                       " point both ways; what is inside is decided by counting faces: recalculate its normals");
  else if (geometry.facts.volume < 0)
    throw Error(place_of(file, object) + shape +
                " is inside out: its faces point inwards; flip the faces (most editors call it \"recalculate normals "
                "outside\") and export it again; for a container set \"solid\": \"outside\" besides");
  for (const std::string& sentence :
       describe_shells(geometry.shells, geometry.facts.volume, quoted(object) + ": " + shape))
    warnings.push_back(sentence);
  if (container || !small.empty() || !thinner_than(geometry, h)) return;
  if (geometry.shape.kind == ShapeKind::box)
    warnings.push_back(quoted(object) +
                       " is thinner than the particle spacing; fluid may pass through it: make it thicker or use a "
                       "smaller spacing");
  else
    warnings.push_back(quoted(object) + ": " + shape +
                       " is thinner than the particle spacing; fluid may pass through it: use a smaller spacing");
}

// Centres of the cells of a fluid box, copy by copy, x fastest.
std::vector<Vec3> fluid_centres(const SceneFile& file, const Object& object) {
  const double h = file.spacing;
  const auto [nx, ny, nz] = fluid_cells(object, h);
  const std::vector<Copy> copies = copies_of(object);
  std::vector<Vec3> centres;
  centres.reserve(static_cast<std::size_t>(nx * ny * nz) * copies.size());
  for (const Copy& copy : copies)
    for (double z = 0; z < nz; ++z)
      for (double y = 0; y < ny; ++y)
        for (double x = 0; x < nx; ++x) {
          const Vec3 cells{2 * x + 1 - nx, 2 * y + 1 - ny, 2 * z + 1 - nz};
          centres.push_back(object.position + copy.offset + rotate(object.rotation, (0.5 * h) * cells));
        }
  return centres;
}

std::uint32_t material_of(const SceneFile& file, const Object& object) {
  for (std::size_t i = 0; i < file.materials.size(); ++i)
    if (file.materials[i].name == object.material) return static_cast<std::uint32_t>(i);
  throw Error(place_of(file, object) + "no fluid material is named \"" + object.material +
              "\"; add it to \"materials\" or name another");
}

void warn_fast_wall(const Body& body, const std::vector<Vec3>& samples, const SceneFile& file,
                    std::vector<std::string>& warnings) {
  double speed = 0;
  for (const Vec3& p : samples)
    speed = std::max(speed, length(body.velocity + cross(body.angular_velocity, p - body.position)));
  if (speed * file.time.max_step > 0.5 * file.spacing)
    warnings.push_back("object \"" + body.name + "\" moves at up to " + short_number(speed) +
                       " m/s, more than half a particle spacing in a step; fluid may pass through it: set maxStep to " +
                       short_number(0.5 * file.spacing / speed) + " s or less");
}

// How many particles or samples the objects of a role will have, up to one of them, and at least 65536: a grid of too
// few buckets is slow.
std::size_t expected_of(const SceneFile& file, Role role, std::size_t end) {
  const std::vector<double> samples = expected_samples(file);
  double sum = 1 << 16;
  for (std::size_t i = 0; i < end; ++i)
    if (file.objects[i].role == role) sum += samples[i];
  return static_cast<std::size_t>(std::min(sum, kMaxParticles));
}

// Samples of all static bodies of one layer: they share a set for their rest volumes, and none lies twice.
struct StaticLayer {
  StaticLayer(double h, std::size_t expected, bool behind) : backing(behind), grid(make_point_grid(h, expected)) {}
  bool backing;
  std::vector<Vec3> points;
  std::vector<std::size_t> index;  // in scene.boundary
  PointGrid grid;
};

void add_static(Scene& scene, StaticLayer& layer, const std::vector<Vec3>& samples, std::uint32_t body, double h) {
  const std::size_t earlier = layer.points.size();
  for (const Vec3& p : samples) {
    if (earlier > 0 && any_near(layer.grid, p, kSameSample * h)) continue;
    layer.index.push_back(scene.boundary.size());
    layer.points.push_back(p);
    scene.boundary.push_back({p, 1, body, layer.backing});
  }
  for (std::size_t i = earlier; i < layer.points.size(); ++i) insert_point(layer.grid, layer.points[i]);
}

void add_moving(Scene& scene, const std::vector<Vec3>& samples, std::uint32_t body, bool backing, double h,
                double gamma) {
  const std::vector<double> weights = rest_weights(samples, h, gamma);
  for (std::size_t i = 0; i < samples.size(); ++i) scene.boundary.push_back({samples[i], weights[i], body, backing});
}

// Samples, bodies and weights. Static bodies share one set for their rest volumes, each moving body has its own; the
// layer behind the surface is a set of its own, so that it takes nothing from the first.
void add_boundaries(const SceneFile& file, Scene& scene, std::deque<Geometry>& geometries, Solids& solids,
                    SamplingReport& report, const SamplingStage& tell) {
  const double h = file.spacing;
  // Of two layers.
  const std::size_t expected = expected_of(file, Role::boundary, file.objects.size()) / 2;
  StaticLayer first(h, expected, false), second(h, expected, true);
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    const Object& object = file.objects[o];
    if (object.role != Role::boundary) continue;
    tell("sampling \"" + object.name + "\"");
    Surface surface;
    surface.object = &object;
    surface.container = object.solid == Solid::outside || object.shape.open != Open::none;
    const Geometry& geometry = geometries.emplace_back(geometry_of(object, h, file));
    surface.geometry = &geometry;
    check_boundary(geometry, object, surface.container, h, file, report.warnings);
    const std::vector<Vec3> samples = named_errors(file, object, [&] {
      if (object.shape.kind == ShapeKind::box) return sample_box(boundary_lengths(object, h), object.shape.open, h);
      if (!surface.container)
        if (std::optional<InsetSamples> round =
                sample_round(object.shape, object.surface == SurfaceSetting::sampled, h))
          return std::move(round->positions);
      if (object.surface == SurfaceSetting::sampled || !geometry.closed)
        return sample_mesh(geometry.mesh, h, overlapping_columns(geometry));
      return sample_inset_mesh(geometry.mesh, geometry.columns, h).positions;
    });
    const std::vector<Vec3> backing = backing_samples(surface, samples, h);

    const std::size_t object_begin = scene.boundary.size();
    for (const Copy& copy : copies_of(object)) {
      surface.body = static_cast<std::uint32_t>(scene.bodies.size());
      surface.position = object.position + copy.offset;
      Body body{copy.name, surface.position, {}, {}};
      if (object.has_motion)
        body = {copy.name, object.motion.center + copy.offset, object.motion.velocity, object.motion.angular_velocity};
      set_surface(file, object, body);
      body.round = moved(revolution_of(geometry), object.rotation, surface.position);
      scene.bodies.push_back(body);
      BoundaryMesh drawn{surface_mesh(geometry, h), surface.container};
      remove_open_face(drawn.mesh, object.shape);
      for (Vec3& v : drawn.mesh.vertices) v = surface.position + rotate(object.rotation, v) - body.position;
      report.boundary_meshes.push_back(std::move(drawn));
      std::vector<Vec3> placed = samples, placed_backing = backing;
      for (std::vector<Vec3>* layer : {&placed, &placed_backing})
        for (Vec3& p : *layer) p = surface.position + rotate(object.rotation, p);
      const std::size_t begin = scene.boundary.size();
      if (body.moving()) {
        add_moving(scene, placed, surface.body, false, h, file.solver.gamma);
        if (begin == object_begin) warn_fast_wall(body, placed, file, report.warnings);
      } else {
        add_static(scene, first, placed, surface.body, h);
      }
      if (scene.boundary.size() == begin)
        throw Error(place_of(file, object) + "all its samples coincide with those of earlier objects; delete it");
      if (body.moving()) {
        add_moving(scene, placed_backing, surface.body, true, h, file.solver.gamma);
      } else {
        add_static(scene, second, placed_backing, surface.body, h);
      }
      if (static_cast<double>(scene.boundary.size()) > kMaxParticles)
        throw Error(place_of(file, object) +
                    "more than 268 million boundary samples so far; use a larger particleSpacing");
      solids.surfaces.push_back(surface);
    }
    report.objects[o].particles = scene.boundary.size() - object_begin;
  }
  tell("weighing boundary samples");
  for (const StaticLayer* layer : {&first, &second}) {
    const std::vector<double> weights = rest_weights(layer->points, h, file.solver.gamma);
    for (std::size_t i = 0; i < weights.size(); ++i) scene.boundary[layer->index[i]].weight = weights[i];
  }
  if (!file.sample_weights)
    for (BoundarySample& sample : scene.boundary) sample.weight = 1;
}

void add_fluids(const SceneFile& file, Scene& scene, const Solids& solids, std::vector<FluidBlock>& blocks,
                SamplingReport& report, const SamplingStage& tell) {
  std::size_t last = 0;  // the last fluid, after which nothing is compared
  for (std::size_t o = 0; o < file.objects.size(); ++o)
    if (file.objects[o].role == Role::fluid) last = o;
  PointGrid earlier = make_point_grid(2 * kFluidDistance * file.spacing, expected_of(file, Role::fluid, last));
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    const Object& object = file.objects[o];
    if (object.role != Role::fluid) continue;
    tell("placing \"" + object.name + "\"");
    const std::uint32_t material = material_of(file, object);
    const std::vector<Vec3> centres = fluid_centres(file, object);
    FluidBlock block;
    block.object = &object;
    add_fluid(scene, block, centres, material, solids, earlier);
    if (block.begin == block.end)
      throw Error(
          place_of(file, object) + "no particle is left: of " + std::to_string(centres.size()) + ", " +
          std::to_string(block.outside) + " lie outside every container, " +
          std::to_string(block.in_solids + block.near_samples) + " in or too near to a boundary or rigid body and " +
          std::to_string(block.in_other_fluid) + " in an earlier fluid; move or enlarge the object" +
          // A tank drawn without saying that its solid is outside.
          (in_any_obstacle(solids, object.position, 0) ? "; if the box around it is a tank, give it \"open\" or "
                                                         "\"solid\": \"outside\""
                                                       : ""));
    if (block.outside > 0)
      report.warnings.push_back(quoted(object) + ": " + std::to_string(block.outside) +
                                " particles lie outside every container and were removed; move or shrink the object");
    if (o != last)
      for (std::size_t i = block.begin; i < block.end; ++i) insert_point(earlier, scene.fluid[i].position);
    report.objects[o].particles = block.end - block.begin;
    report.objects[o].cut = block.cut();
    blocks.push_back(block);
  }
}

// Cells repeat every 8192 spacings (the device's positions wrap there).
constexpr double kWidest = 8190;  // in spacings

struct Box {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
};
void take(Box& box, Vec3 p) {
  box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
  box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
}
double width(const Box& box) {
  const Vec3 size = box.high - box.low;
  return std::max({size.x, size.y, size.z});
}

void check_width(const SceneFile& file, const Scene& scene, const Solids& solids, std::vector<std::string>& warnings) {
  const double widest = kWidest * scene.spacing;
  Box box;
  for (const BoundarySample& s : scene.boundary) take(box, s.position);
  if (width(box) > widest)
    warnings.push_back(
        "the boundaries are more than 8190 particle spacings wide; things 8192 spacings apart along an "
        "axis act on each other: use a larger particleSpacing");
  for (const Object& object : file.objects)
    if (object.role == Role::fluid) take(box, object.position);
  if (box.low.x > box.high.x && !scene.rigid.empty()) take(box, scene.rigid.front().position);
  for (const RigidBody& body : scene.rigid) {
    Box with = box;
    take(with, body.position);
    const Vec3 p = body.position;
    const std::size_t index = scene.bodies.size() + static_cast<std::size_t>(&body - scene.rigid.data());
    const std::string place = place_of(file, *solids.surfaces[index].object);
    if (!(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) < kFarthestPlace * scene.spacing))
      throw Error(place + "rigid body \"" + body.name +
                  "\" starts too far from the origin for its samples to be told apart; move the scene nearer to it");
    if (width(with) > std::max(width(box), widest))
      throw Error(place + "rigid body \"" + body.name +
                  "\" starts more than 8190 particle spacings away from the rest of the scene; move it nearer or use a "
                  "larger particleSpacing");
  }
}

void report_weights(const Scene& scene, SamplingReport& report) {
  if (scene.boundary.empty()) return;
  report.weight_min = report.weight_max = scene.boundary.front().weight;
  double sum = 0, squares = 0;
  for (const BoundarySample& sample : scene.boundary) {
    report.weight_min = std::min(report.weight_min, sample.weight);
    report.weight_max = std::max(report.weight_max, sample.weight);
    sum += sample.weight;
  }
  const double count = static_cast<double>(scene.boundary.size());
  report.weight_mean = sum / count;
  for (const BoundarySample& sample : scene.boundary)
    squares += (sample.weight - report.weight_mean) * (sample.weight - report.weight_mean);
  report.weight_deviation = std::sqrt(squares / count);
}

// Takes the domain of the file, or the default; nothing may start outside.
void set_domain(const SceneFile& file, Scene& scene) {
  const double end = std::max(file.drawn_end, file.time.end);
  scene.domain = file.domain ? *file.domain : default_domain(scene, end);
  scene.step_domain = file.domain ? *file.domain : extent_of(scene, end);
  const Domain& d = scene.domain;
  const auto need_inside = [&](Vec3 p, const std::string& what) {
    if (p.x >= d.low.x && p.x <= d.high.x && p.y >= d.low.y && p.y <= d.high.y && p.z >= d.low.z && p.z <= d.high.z)
      return;
    std::string place = file.path.string();
    if (file.domain_line > 0)
      place.append(":").append(std::to_string(file.domain_line) + ":" + std::to_string(file.domain_column));
    throw Error(place + ": /domain: " + what + " starts outside of it; make it larger, or leave it out");
  };
  for (const FluidParticle& particle : scene.fluid)
    need_inside(particle.position, "a particle of \"" + scene.materials[particle.material].name + "\"");
  for (const RigidBody& body : scene.rigid) need_inside(body.position, "\"" + body.name + "\"");
}

}  // namespace

Scene build_scene(const SceneFile& file, SamplingReport& report, const SamplingStage& told) {
  const double h = file.spacing;
  if (!(h > 0) || !std::isfinite(h))
    throw Error(file.path.string() + ": /particleSpacing: must be a positive number of metres");
  if (file.objects.empty()) throw Error(file.path.string() + ": /objects: there are none; add a fluid or a boundary");
  const std::vector<double> expected = expected_samples(file);
  check_expected(file, expected);
  const auto tell = [&](const std::string& stage) {
    if (told) told(stage);
  };
  report = {};
  for (const Object& object : file.objects) report.objects.push_back({object.name, object.role});

  Scene scene;
  scene.name = file.name;
  scene.spacing = h;
  scene.gravity = file.gravity;
  scene.time = file.time;
  scene.solver = file.solver;
  scene.solver.sample_weights = file.sample_weights;
  scene.materials = file.materials;

  std::deque<Geometry> geometries;  // which surfaces point into
  Solids solids;
  add_boundaries(file, scene, geometries, solids, report, tell);
  report_weights(scene, report);
  tell("sampling rigid bodies");
  scene.pairs = friction_pairs(file);
  add_rigid_bodies(file, scene, geometries, solids, report);
  check_width(file, scene, solids, report.warnings);
  tell("looking for overlaps");
  fill_solids(scene, solids);
  warn_overlapping_boundaries(scene, solids, report.warnings);
  report.overlaps = warn_overlapping_rigid(scene, solids, report.warnings);

  std::vector<FluidBlock> blocks;
  add_fluids(file, scene, solids, blocks, report, tell);
  set_domain(file, scene);
  warn_coarse(file, solids, report.warnings);
  warn_mesh_sizes(file, solids, report.warnings);
  warn_densities(file, report.warnings);
  warn_falling(scene, report.warnings);
  warn_upwards(scene, report.warnings);
  warn_unsupported(scene, blocks, report.warnings);
  warn_end_between_frames(scene, report.warnings);
  warn_many_steps(scene, report.warnings);
  warn_endless(scene, report.warnings);
  warn_viscous(scene, report.warnings);
  if (file.output.contacts && scene.rigid.empty())
    report.warnings.push_back(
        "\"contacts\" of \"output\" is true, but nothing is rigid, so contacts.csv will have no rows; leave it out, or "
        "add "
        "an object of \"role\": \"rigid\"");
  tell("measuring densities");
  measure_start_errors(scene, solids, blocks);
  for (const FluidBlock& block : blocks) {
    report.start_error_max = std::max(report.start_error_max, block.start_error);
    if (block.start_error > kStartErrorLimit)
      report.warnings.push_back(
          quoted(*block.object) + " starts up to " + short_number(100 * block.start_error) +
          " % denser than at rest where it meets \"" + block.densest_beside +
          "\" and will spring back there, at \"overlapSpeed\" at most; lengths that are multiples of the "
          "spacing, or a gap of up to one spacing, leave none");
  }
  // Errors of the engine, as of numbers that the solver cannot hold, name the file, too, and the object.
  try {
    estimate_memory(scene);
  } catch (const Error& error) {
    const std::string what = error.what();
    for (const Object& object : file.objects)
      if (what.find("\"" + object.name + (object.has_repeat ? "[" : "\"")) != std::string::npos)
        throw Error(place_of(file, object) + what);
    throw Error(file.path.string() + ": /objects: " + what);
  }
  return scene;
}

}  // namespace sluice::io
