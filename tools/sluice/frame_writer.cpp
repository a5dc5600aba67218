#include "tools/sluice/frame_writer.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace sluice::program {
namespace {

constexpr std::uint32_t kPictures = 5;  // evenly spread, picture.png of the last frame among them
constexpr double kDegrees = 57.29577951308232;

// Where the boundary's samples are at `time`, in the scene's order. Bodies move at constant rates, so poses need no
// state of the device.
std::vector<Vec3> place_boundary(const Scene& scene, double time) {
  std::vector<Quat> turns;
  for (const Body& body : scene.bodies) {
    const double rate = length(body.angular_velocity);
    turns.push_back(rate > 0 ? io::rotation_about(body.angular_velocity, rate * time * kDegrees) : Quat{});
  }
  std::vector<Vec3> places;
  places.reserve(scene.boundary.size());
  for (const BoundarySample& sample : scene.boundary) {
    const Body& body = scene.bodies[sample.body];
    places.push_back(body.moving() ? body.position + time * body.velocity +
                                         rotate(turns[sample.body], sample.position - body.position)
                                   : sample.position);
  }
  return places;
}

void write_fluids(FrameWriter& writer) {
  const Frame& frame = writer.frame;
  for (std::size_t material = 0; material < writer.fluids.size(); ++material) {
    io::ParticleSeries& series = writer.fluids[material];
    if (series.name.empty()) continue;
    io::ParticleFrame part;
    part.time = frame.time;
    for (std::size_t i = 0; i < frame.id.size(); ++i) {
      if (frame.material[i] != material) continue;
      part.id.push_back(frame.id[i]);
      part.position.push_back(frame.position[i]);
      part.velocity.push_back(frame.velocity[i]);
      part.density.push_back(frame.density[i]);
      part.pressure.push_back(frame.pressure[i]);
    }
    io::add_frame(series, frame.number, part, writer.loaded->file.output.fields);
  }
}

void write_boundary(FrameWriter& writer) {
  if (writer.boundary.name.empty() || (!writer.boundary_moves && !writer.boundary.frames.empty())) return;
  io::ParticleFrame part;
  part.time = writer.frame.time;
  const Scene& scene = writer.loaded->scene;
  const std::vector<Vec3> places = place_boundary(scene, writer.frame.time);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (scene.boundary[i].backing) continue;
    part.id.push_back(static_cast<std::uint32_t>(i));
    part.position.push_back({places[i].x, places[i].y, places[i].z});
  }
  io::add_frame(writer.boundary, writer.frame.number, part, {});
}

void write_samples(FrameWriter& writer) {
  if (writer.samples.name.empty()) return;
  const Frame& frame = writer.frame;
  io::ParticleFrame part;
  part.time = frame.time;
  part.position = frame.sample_position;
  part.id.resize(part.position.size());
  std::iota(part.id.begin(), part.id.end(), 0u);
  part.pressure = frame.sample_pressure;
  part.friction = frame.sample_friction;
  part.body = frame.sample_body;
  const std::string fields[] = {"body", "pressure", "friction"};
  io::add_frame(writer.samples, frame.number, part, fields);
  io::append_bodies(writer.bodies, frame, writer.loaded->scene.rigid);
}

void draw(FrameWriter& writer, const std::string& file_name) {
  const Frame& frame = writer.frame;
  const Scene& scene = writer.loaded->scene;
  std::vector<io::PicturePoint> points;
  for (std::size_t i = 0; i < frame.id.size(); ++i) {
    const auto& x = frame.position[i];
    const auto& v = frame.velocity[i];
    points.push_back({{x[0], x[1], x[2]}, static_cast<float>(length({v[0], v[1], v[2]}))});
  }
  std::vector<io::PictureBoundary> boundary;
  const std::vector<Vec3> places = place_boundary(scene, frame.time);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (scene.boundary[i].backing) continue;
    boundary.push_back({places[i], writer.container[scene.boundary[i].body], {}});
  }
  for (std::size_t i = 0; i < frame.sample_position.size(); ++i) {
    const auto& x = frame.sample_position[i];
    boundary.push_back({{x[0], x[1], x[2]}, false, frame.sample_body[i] + 1});
  }
  io::PictureOptions options;
  options.spacing = scene.spacing;
  options.title = scene.name;
  char note[64];
  std::snprintf(note, sizeof note, "t = %.3f s", frame.time);
  options.note = note;
  options.view = writer.view;
  io::write_picture(writer.folder / file_name, points, boundary, options);
}

void write_files(FrameWriter& writer) {
  write_fluids(writer);
  write_boundary(writer);
  write_samples(writer);
  writer.has_frame = true;
  ++writer.written;
  const auto& chosen = writer.picture_frames;
  if (writer.pictures && std::find(chosen.begin(), chosen.end(), writer.frame.number) != chosen.end()) {
    // picture.0012.png beside water.0012.vtp.
    draw(writer, std::filesystem::path(io::frame_file_name("picture", writer.frame.number)).stem().string() + ".png");
  }
}

}  // namespace

void prepare_writer(FrameWriter& writer, const LoadedScene& loaded, const std::filesystem::path& folder,
                    bool pictures) {
  const Scene& scene = loaded.scene;
  writer.loaded = &loaded;
  writer.folder = folder;
  writer.pictures = pictures;
  writer.fluids.resize(scene.materials.size());
  std::string boundary_name = "boundary";
  for (const FluidParticle& particle : scene.fluid) {
    io::ParticleSeries& series = writer.fluids[particle.material];
    if (!series.name.empty()) continue;
    series = {folder, scene.materials[particle.material].name, {}};
    io::check_series_name(series.name);
  }
  const auto taken = [&](const std::string& name) {
    return std::any_of(writer.fluids.begin(), writer.fluids.end(), [&](const auto& s) { return s.name == name; });
  };
  while (taken(boundary_name)) boundary_name += " samples";
  if (!scene.boundary.empty()) writer.boundary = {folder, boundary_name, {}};
  std::string samples_name = "bodies";
  while (taken(samples_name)) samples_name += " samples";
  if (!scene.rigid.empty()) writer.samples = {folder, samples_name, {}};
  for (const io::Object& object : loaded.file.objects) {
    if (object.role != io::Role::boundary) continue;
    const bool container = object.solid == io::Solid::outside || object.shape.open != io::Open::none;
    writer.container.insert(writer.container.end(), io::copies_of(object).size(), container);
  }
  bool any_static = false;
  for (const BoundarySample& sample : scene.boundary) {
    (scene.bodies[sample.body].moving() ? writer.boundary_moves : any_static) = true;
  }
  const std::uint32_t frames = frame_count(scene.time);
  for (std::uint32_t k = 1; k < kPictures; ++k) {
    const auto number = static_cast<std::uint32_t>(std::uint64_t{frames} * k / kPictures);
    if (number > 0) writer.picture_frames.push_back(number);
  }
  if (any_static) {
    // One camera for all frames; what is drawn of a free or moving scene is followed instead.
    std::vector<io::PicturePoint> points;
    for (const FluidParticle& particle : scene.fluid) points.push_back({particle.position, 0});
    for (const RigidBody& body : scene.rigid) {
      for (const RigidSample& sample : scene.shapes[body.shape].samples)
        points.push_back({body.position + rotate(body.orientation, sample.position), 0});
    }
    std::vector<io::PictureBoundary> boundary;
    for (const BoundarySample& sample : scene.boundary) {
      if (!sample.backing) boundary.push_back({sample.position, false});
    }
    writer.view = io::picture_box(points, boundary, scene.spacing);
  }
}

void start_files(FrameWriter& writer) {
  if (writer.samples.name.empty()) return;
  writer.bodies = io::open_bodies(writer.folder);
  const Scene& scene = writer.loaded->scene;
  for (std::size_t shape = 0; shape < scene.shapes.size(); ++shape) {
    io::write_obj(writer.folder / shape_file_name(scene, shape), writer.loaded->report.shape_meshes[shape]);
  }
}

std::string shape_file_name(const Scene& scene, std::size_t shape) {
  return "shape." + std::to_string(shape) + "." + scene.shapes[shape].name + ".obj";
}

void write_frame(FrameWriter& writer, Frame frame) {
  finish_frames(writer);
  writer.frame = std::move(frame);
  writer.has_frame = false;
  writer.job = std::async(std::launch::async, [&writer] { write_files(writer); });
}

void finish_frames(FrameWriter& writer) {
  if (writer.job.valid()) writer.job.get();
}

bool write_last_picture(FrameWriter& writer) {
  if (!writer.pictures || !writer.has_frame) return false;
  draw(writer, "picture.png");
  return true;
}

}  // namespace sluice::program
