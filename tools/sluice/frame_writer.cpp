#include "tools/sluice/frame_writer.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "host/scene/file_names.h"

namespace sluice::program {
namespace {

// Where the boundary's samples are at `time`, in the scene's order. Bodies move at constant rates, so poses need no
// state of the device.
std::vector<Vec3> place_boundary(const Scene& scene, double time) {
  std::vector<io::Pose> poses;
  for (const Body& body : scene.bodies) poses.push_back(io::pose_at(body, time));
  std::vector<Vec3> places;
  places.reserve(scene.boundary.size());
  for (const BoundarySample& sample : scene.boundary) {
    const Body& body = scene.bodies[sample.body];
    const io::Pose& pose = poses[sample.body];
    places.push_back(body.moving() ? pose.position + rotate(pose.orientation, sample.position - body.position)
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
  part.friction_used = frame.sample_friction_used;
  part.body = frame.sample_body;
  for (std::size_t i = 0; i < part.position.size(); ++i) {
    const BodyRecord& body = frame.bodies[part.body[i]];
    const auto& x = part.position[i];
    const Vec3 v = body.velocity + cross(body.angular_velocity, Vec3{x[0], x[1], x[2]} - body.position);
    part.velocity.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
  }
  const std::string fields[] = {"body", "velocity", "pressure", "friction", "friction_used"};
  io::add_frame(writer.samples, frame.number, part, fields);
  io::append_bodies(writer.bodies, frame, writer.loaded->scene.rigid);
  if (writes_contacts(writer)) io::append_contacts(writer.contacts, frame, writer.touching, writer.loaded->scene);
}

void write_files(FrameWriter& writer) {
  write_fluids(writer);
  write_boundary(writer);
  write_samples(writer);
  writer.has_frame = true;
  ++writer.written;
}

}  // namespace

void prepare_writer(FrameWriter& writer, const LoadedScene& loaded, const std::filesystem::path& folder) {
  const Scene& scene = loaded.scene;
  writer.loaded = &loaded;
  writer.folder = folder;
  writer.fluids.resize(scene.materials.size());
  std::string boundary_name = "boundary";
  for (const FluidParticle& particle : scene.fluid) {
    io::ParticleSeries& series = writer.fluids[particle.material];
    if (!series.name.empty()) continue;
    series = {folder, scene.materials[particle.material].name, {}};
    io::check_series_name(series.name);
  }
  const auto taken = [&](const std::string& name) {
    return std::any_of(writer.fluids.begin(), writer.fluids.end(),
                       [&](const auto& s) { return io::is_same_file_name(s.name, name); });
  };
  while (taken(boundary_name)) boundary_name += " samples";
  if (!scene.boundary.empty()) writer.boundary = {folder, boundary_name, {}};
  std::string samples_name = "bodies";
  while (taken(samples_name)) samples_name += " samples";
  if (!scene.rigid.empty()) writer.samples = {folder, samples_name, {}};
  writer.boundary_moves = std::any_of(scene.boundary.begin(), scene.boundary.end(),
                                      [&](const BoundarySample& sample) { return scene.bodies[sample.body].moving(); });
}

io::SeriesNames series_names(const FrameWriter& writer) {
  io::SeriesNames names{{}, writer.samples.name, writer.boundary.name};
  for (const io::ParticleSeries& series : writer.fluids) names.fluids.push_back(series.name);
  return names;
}

io::RunFiles files_of(const FrameWriter& writer) {
  const Scene& scene = writer.loaded->scene;
  io::RunFiles files;
  files.names = {"run.json", "stats.csv"};
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    files.names.insert(io::surface_file_name(b, scene.bodies[b].name));
  const auto add = [&](const io::ParticleSeries& series) {
    if (series.name.empty()) return;
    files.names.insert(series.name + ".pvd");
    io::count_series(files, series.name, "vtp", 0);
  };
  for (const io::ParticleSeries& series : writer.fluids) add(series);
  add(writer.boundary);
  add(writer.samples);
  if (writer.samples.name.empty()) return files;
  files.names.insert("bodies.csv");
  if (writes_contacts(writer)) files.names.insert("contacts.csv");
  for (std::size_t s = 0; s < scene.shapes.size(); ++s)
    files.names.insert(io::shape_file_name(s, scene.shapes[s].name));
  return files;
}

void count_frame(const FrameWriter& writer, std::uint32_t number, io::RunFiles& files) {
  const auto count = [&](const io::ParticleSeries& series) {
    if (!series.name.empty()) io::count_series(files, series.name, "vtp", std::uint64_t{number} + 1);
  };
  for (const io::ParticleSeries& series : writer.fluids) count(series);
  count(writer.samples);
  // While a frame is being written, that one has the boundary.
  if (writer.boundary_moves || (!writer.job.valid() && writer.boundary.frames.empty())) count(writer.boundary);
}

bool writes_contacts(const FrameWriter& writer) {
  return writer.loaded->file.output.contacts && !writer.samples.name.empty();
}

void start_files(FrameWriter& writer) {
  const Scene& scene = writer.loaded->scene;
  const io::SamplingReport& report = writer.loaded->report;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    io::write_obj(writer.folder / io::surface_file_name(b, scene.bodies[b].name), report.boundary_meshes[b].mesh);
  if (!writer.samples.name.empty()) {
    writer.bodies = io::open_bodies(writer.folder);
    if (writes_contacts(writer)) writer.contacts = io::open_contacts(writer.folder);
    for (std::size_t s = 0; s < scene.shapes.size(); ++s)
      io::write_obj(writer.folder / io::shape_file_name(s, scene.shapes[s].name), report.shape_meshes[s]);
  }
  writer.started = true;
}

void write_frame(FrameWriter& writer, Frame frame, std::vector<Contact> contacts) {
  finish_frames(writer);
  writer.frame = std::move(frame);
  writer.touching = std::move(contacts);
  writer.has_frame = false;
  writer.job = std::async(std::launch::async, [&writer] { write_files(writer); });
}

void finish_frames(FrameWriter& writer) {
  if (writer.job.valid()) writer.job.get();
}

}  // namespace sluice::program
