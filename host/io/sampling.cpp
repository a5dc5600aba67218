#include "host/io/sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "host/io/backing.h"
#include "host/io/mesh.h"
#include "host/io/point_grid.h"
#include "host/io/rest_volume.h"
#include "host/io/safe_start.h"
#include "host/io/surface_sampling.h"

namespace sluice::io {
namespace {

constexpr double kSameSample = 1e-6;  // in spacings: nearer samples are one sample drawn twice

std::string place_of(const SceneFile& file, const Object& object) {
  return file.path.string() + ": " + object.place + " (\"" + object.name + "\"): ";
}

std::string quoted(const Object& object) { return "object \"" + object.name + "\""; }

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// A flat or hollow mesh has hardly any volume for its area; these are the lengths at which a cube, a ball and a
// plate are one spacing, one spacing and a third of one thick.
bool thinner_than(const MeshFacts& facts, double h) {
  const Vec3 size = facts.high - facts.low;
  return std::min({size.x, size.y, size.z}) < h || 2 * facts.volume < facts.area * h / 3;
}

void prepare_mesh(Surface& surface, double h, const SceneFile& file, std::vector<std::string>& warnings) {
  const Object& object = *surface.object;
  const std::string mesh_name = object.shape.mesh.string();
  surface.mesh = read_obj(object.shape.mesh);
  for (Vec3& v : surface.mesh.vertices) {
    v = {v.x * object.shape.scale.x, v.y * object.shape.scale.y, v.z * object.shape.scale.z};
    if (!std::isfinite(dot(v, v))) throw Error(mesh_name + ": a scaled coordinate is too large; use a smaller scale");
    surface.radius = std::max(surface.radius, length(v));
  }
  surface.radius += h;
  MeshFacts facts = inspect_mesh(surface.mesh);
  const Vec3 size = facts.high - facts.low;
  const bool sheet = std::abs(facts.volume) <= 1e-9 * facts.area * std::max({size.x, size.y, size.z});
  surface.closed = facts.open_edges == 0 && !sheet;
  if (!surface.closed) {
    warnings.push_back(quoted(object) + ": mesh " + mesh_name +
                       (facts.open_edges > 0 ? " is open (" + std::to_string(facts.open_edges) + " edges with one face)"
                                             : std::string(" encloses no volume")) +
                       "; fluid meets it from both sides, and none is removed behind it");
    return;
  }
  if (facts.odd_edges > 0)
    warnings.push_back(quoted(object) + ": the faces of mesh " + mesh_name +
                       " point both ways; what is inside is decided by counting faces: recalculate its normals");
  else if (facts.volume < 0)
    throw Error(place_of(file, object) + "mesh " + mesh_name +
                " is inside out: its faces point inwards; flip the faces (most editors call it \"recalculate normals "
                "outside\") and export it again; for a container set \"solid\": \"outside\" besides");
  facts.volume = std::abs(facts.volume);
  if (!surface.container && thinner_than(facts, h))
    warnings.push_back(quoted(object) + ": mesh " + mesh_name +
                       " is thinner than the particle spacing; fluid may pass through it: use a smaller spacing");
  surface.columns = make_columns(surface.mesh, facts);
}

// Samples of a boundary object in its own frame.
std::vector<Vec3> sample_surface(Surface& surface, double h, const SceneFile& file,
                                 std::vector<std::string>& warnings) {
  const Object& object = *surface.object;
  try {
    if (object.shape.kind == ShapeKind::mesh) {
      prepare_mesh(surface, h, file, warnings);
      return sample_mesh(surface.mesh, h);
    }
    const Vec3 size = object.shape.box;
    surface.radius = 0.5 * length(size);
    if (!surface.container && std::min({size.x, size.y, size.z}) < h)
      warnings.push_back(quoted(object) +
                         " is thinner than the particle spacing; fluid may pass through it: make it thicker or use a "
                         "smaller spacing");
    return sample_box(sampled_lengths(size, surface.container, h), object.shape.open, h);
  } catch (const Error& error) {
    const std::string what = error.what(), place = place_of(file, object);
    throw Error(what.starts_with(place) ? what : place + what);
  }
}

// Centres of the cells of a fluid box, x fastest.
std::vector<Vec3> fluid_centres(const SceneFile& file, const Object& object) {
  const double h = file.spacing;
  if (object.shape.kind != ShapeKind::box)
    throw Error(place_of(file, object) + "fluid can fill boxes only; give the shape a \"box\"");
  const Vec3 size = object.shape.box;
  const double nx = std::max(1.0, std::round(size.x / h)), ny = std::max(1.0, std::round(size.y / h)),
               nz = std::max(1.0, std::round(size.z / h));
  if (!(nx * ny * nz < kMaxParticles))
    throw Error(place_of(file, object) +
                "would have more than 268 million particles; use a larger particleSpacing or a smaller box");
  std::vector<Vec3> centres;
  centres.reserve(static_cast<std::size_t>(nx * ny * nz));
  for (double z = 0; z < nz; ++z)
    for (double y = 0; y < ny; ++y)
      for (double x = 0; x < nx; ++x) {
        const Vec3 cells{2 * x + 1 - nx, 2 * y + 1 - ny, 2 * z + 1 - nz};
        centres.push_back(object.position + rotate(object.rotation, (0.5 * h) * cells));
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

// Samples of all static bodies of one layer: they share a set for their rest volumes, and none lies twice.
struct StaticLayer {
  StaticLayer(double h, bool behind) : backing(behind), grid(make_point_grid(h, 1 << 16)) {}
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
std::vector<Surface> add_boundaries(const SceneFile& file, Scene& scene, SamplingReport& report) {
  const double h = file.spacing;
  std::vector<Surface> surfaces;
  StaticLayer first(h, false), second(h, true);
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    const Object& object = file.objects[o];
    if (object.role != Role::boundary) continue;
    Surface surface;
    surface.object = &object;
    surface.body = static_cast<std::uint32_t>(scene.bodies.size());
    surface.container = object.solid == Solid::outside || object.shape.open != Open::none;
    Body body{object.name, object.position, {}, {}};
    if (object.has_motion)
      body = {object.name, object.motion.center, object.motion.velocity, object.motion.angular_velocity};
    scene.bodies.push_back(body);

    std::vector<Vec3> samples = sample_surface(surface, h, file, report.warnings);
    std::vector<Vec3> backing = backing_samples(surface, samples, h);
    for (std::vector<Vec3>* layer : {&samples, &backing})
      for (Vec3& p : *layer) p = object.position + rotate(object.rotation, p);
    const std::size_t begin = scene.boundary.size();
    if (body.moving()) {
      add_moving(scene, samples, surface.body, false, h, file.gamma);
      warn_fast_wall(body, samples, file, report.warnings);
    } else {
      add_static(scene, first, samples, surface.body, h);
    }
    if (scene.boundary.size() == begin)
      throw Error(place_of(file, object) + "all its samples coincide with those of earlier objects; delete it");
    if (body.moving()) {
      add_moving(scene, backing, surface.body, true, h, file.gamma);
    } else {
      add_static(scene, second, backing, surface.body, h);
    }
    if (static_cast<double>(scene.boundary.size()) > kMaxParticles)
      throw Error(place_of(file, object) +
                  "more than 268 million boundary samples so far; use a larger particleSpacing");
    report.objects[o].particles = scene.boundary.size() - begin;
    surfaces.push_back(std::move(surface));
  }
  for (const StaticLayer* layer : {&first, &second}) {
    const std::vector<double> weights = rest_weights(layer->points, h, file.gamma);
    for (std::size_t i = 0; i < weights.size(); ++i) scene.boundary[layer->index[i]].weight = weights[i];
  }
  if (!file.sample_weights)
    for (BoundarySample& sample : scene.boundary) sample.weight = 1;
  return surfaces;
}

// Whether the fluid's centre lies in an obstacle: a tank drawn without saying that its solid is outside.
bool surrounding_solid(const std::vector<Surface>& surfaces, const Object& fluid) {
  return std::any_of(surfaces.begin(), surfaces.end(),
                     [&](const Surface& s) { return !s.container && s.closed && in_obstacle(s, fluid.position, 0); });
}

void add_fluids(const SceneFile& file, Scene& scene, const std::vector<Surface>& surfaces, const PointGrid& boundary,
                std::vector<FluidBlock>& blocks, SamplingReport& report) {
  PointGrid earlier = make_point_grid(2 * kFluidDistance * file.spacing, 1 << 20);
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    const Object& object = file.objects[o];
    if (object.role != Role::fluid) continue;
    const std::uint32_t material = material_of(file, object);
    const std::vector<Vec3> centres = fluid_centres(file, object);
    FluidBlock block;
    block.object = &object;
    add_fluid(scene, block, centres, material, surfaces, boundary, earlier);
    if (block.begin == block.end)
      throw Error(place_of(file, object) + "no particle is left: of " + std::to_string(centres.size()) + ", " +
                  std::to_string(block.outside) + " lie outside every container, " +
                  std::to_string(block.in_solids + block.near_samples) + " in or too near to a boundary and " +
                  std::to_string(block.in_other_fluid) + " in an earlier fluid; move or enlarge the object" +
                  (surrounding_solid(surfaces, object) ? "; if the box around it is a tank, give it \"open\" or "
                                                         "\"solid\": \"outside\""
                                                       : ""));
    if (static_cast<double>(scene.fluid.size()) > kMaxParticles)
      throw Error(place_of(file, object) +
                  "more than 268 million fluid particles so far; use a larger particleSpacing");
    if (block.outside > 0)
      report.warnings.push_back(quoted(object) + ": " + std::to_string(block.outside) +
                                " particles lie outside every container and were removed; move or shrink the object");
    for (std::size_t i = block.begin; i < block.end; ++i) insert_point(earlier, scene.fluid[i].position);
    report.objects[o].particles = block.end - block.begin;
    report.objects[o].cut = block.cut();
    blocks.push_back(block);
  }
}

// Cells repeat every 8192 spacings (the device's positions wrap there).
void warn_wide_scene(const Scene& scene, std::vector<std::string>& warnings) {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const BoundarySample& s : scene.boundary) {
    low = {std::min(low.x, s.position.x), std::min(low.y, s.position.y), std::min(low.z, s.position.z)};
    high = {std::max(high.x, s.position.x), std::max(high.y, s.position.y), std::max(high.z, s.position.z)};
  }
  const Vec3 size = high - low;
  if (std::max({size.x, size.y, size.z}) > 8190 * scene.spacing)
    warnings.push_back(
        "the boundaries are more than 8190 particle spacings wide; things 8192 spacings apart along an "
        "axis act on each other: use a larger particleSpacing");
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

}  // namespace

Scene build_scene(const SceneFile& file, SamplingReport& report) {
  const double h = file.spacing;
  if (!(h > 0) || !std::isfinite(h))
    throw Error(file.path.string() + ": /particleSpacing: must be a positive number of metres");
  if (file.objects.empty()) throw Error(file.path.string() + ": /objects: there are none; add a fluid or a boundary");
  report = {};
  for (const Object& object : file.objects) report.objects.push_back({object.name, object.role, 0, 0});

  Scene scene;
  scene.name = file.name;
  scene.spacing = h;
  scene.gravity = file.gravity;
  scene.time = file.time;
  scene.solver = file.solver;
  scene.materials = file.materials;

  const std::vector<Surface> surfaces = add_boundaries(file, scene, report);
  PointGrid boundary = make_point_grid(2 * kRestDistance * h, scene.boundary.size());
  for (const BoundarySample& sample : scene.boundary) insert_point(boundary, sample.position);
  report_weights(scene, report);
  warn_overlapping_bodies(scene, surfaces, boundary, report.warnings);

  std::vector<FluidBlock> blocks;
  warn_wide_scene(scene, report.warnings);
  add_fluids(file, scene, surfaces, boundary, blocks, report);
  measure_start_errors(scene, blocks);
  for (const FluidBlock& block : blocks) {
    report.start_error_max = std::max(report.start_error_max, block.start_error);
    if (block.start_error > kStartErrorLimit)
      report.warnings.push_back(quoted(*block.object) + " starts up to " + short_number(100 * block.start_error) +
                                " % denser than at rest where it meets \"" + block.densest_beside +
                                "\" and will spring back there; leave a gap of up to one spacing between them");
  }
  return scene;
}

}  // namespace sluice::io
