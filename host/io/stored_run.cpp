#include "host/io/stored_run.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "host/io/atomic_file.h"
#include "host/io/body_files.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;  // materials keep their order

Vec3 to_vec(const Json& json) { return {json.at(0), json.at(1), json.at(2)}; }

// The Error of a file that belongs to the run, with the remedy.
template <class Read>
auto of_run(Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the folder is not as the run left it: run the scene again");
  }
}

Json read_record(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw Error(folder.string() + ": there is no such folder; name one that sluice run wrote");
  if (!fs::exists(folder / "run.json", ignored)) {
    const bool empty = fs::is_empty(folder, ignored);
    throw Error(folder.string() + ": " + (empty ? "the folder is empty" : "holds no run (no run.json)") +
                "; name one that sluice run wrote");
  }
  return Json::parse(of_run([&] { return read_regular_file(folder / "run.json"); }));
}

TriangleMesh read_surface(const StoredRun& run, const std::string& file) {
  const fs::path path = run.folder / fs::path(file).filename();
  return of_run([&] {
    check_regular_file(path);
    return read_obj(path);
  });
}

void read_surfaces(StoredRun& run, const Json& record) {
  for (const Json& body : record.value("bodies", Json::array())) {
    const std::string file = body.at("shape");
    // Bodies of one shape share its file.
    auto found = std::find_if(run.scene.shapes.begin(), run.scene.shapes.end(),
                              [&](const RigidShape& shape) { return shape.name == file; });
    if (found == run.scene.shapes.end()) {
      run.report.shape_meshes.push_back(read_surface(run, file));
      run.scene.shapes.emplace_back().name = file;
      found = run.scene.shapes.end() - 1;
    }
    RigidBody& out = run.scene.rigid.emplace_back();
    out.name = body.at("name");
    out.shape = static_cast<std::uint32_t>(found - run.scene.shapes.begin());
    out.center_of_mass = to_vec(body.at("center_of_mass"));
  }
  for (const Json& boundary : record.value("boundaries", Json::array())) {
    const std::string file = boundary.at("surface");
    run.report.boundary_meshes.push_back({read_surface(run, file), boundary.at("container").get<bool>()});
    run.scene.bodies.push_back({boundary.at("name"), to_vec(boundary.at("position")), to_vec(boundary.at("velocity")),
                                to_vec(boundary.at("angular_velocity"))});
  }
}

// Of every series that has frames at all times, those that all of them have.
void find_frames(StoredRun& run) {
  std::vector<std::string> names = run.series.fluids;
  names.push_back(run.series.bodies);
  std::erase(names, "");
  if (names.empty() && !run.series.boundary.empty()) names.push_back(run.series.boundary);
  for (std::size_t i = 0; i < names.size(); ++i) {
    try {
      check_series_name(names[i]);
    } catch (const Error& error) {
      throw Error((run.folder / "run.json").string() + ": " + error.what() + "; run the scene again");
    }
    const std::vector<SeriesFrame> frames = open_series(run.folder, names[i]).frames;
    if (frames.empty())
      throw Error((run.folder / (names[i] + ".pvd")).string() + ": lists no frame; run the scene again");
    if (i == 0) run.frames = frames;
    std::erase_if(run.frames, [&](const SeriesFrame& frame) {
      return std::none_of(frames.begin(), frames.end(), [&](const SeriesFrame& f) { return f.number == frame.number; });
    });
  }
  if (!run.series.bodies.empty())
    std::erase_if(run.frames, [&](const SeriesFrame& frame) { return !run.bodies.contains(frame.number); });
  if (run.frames.empty()) throw Error(run.folder.string() + ": the run has no whole frame; run the scene again");
}

}  // namespace

std::string shape_file_name(std::size_t shape, const std::string& name) {
  return "shape." + std::to_string(shape) + "." + name + ".obj";
}
std::string surface_file_name(std::size_t boundary, const std::string& name) {
  return "surface." + std::to_string(boundary) + "." + name + ".obj";
}

StoredRun open_run(const fs::path& folder) {
  StoredRun run;
  run.folder = folder;
  std::size_t fluid_particles = 0;
  std::uint32_t recorded = 0;
  std::string status;
  try {
    const Json record = read_record(folder);
    run.file = of_run(
        [&] { return parse_scene(record.at("scene").dump(2), folder / "run.json, scene", SceneParts::settings); });
    const Json& series = record.at("series");
    run.series = {series.at("fluids"), series.at("bodies"), series.at("boundary")};
    run.scene.name = run.file.name;
    run.scene.spacing = run.file.spacing;
    run.scene.gravity = run.file.gravity;
    run.scene.time = run.file.time;
    run.scene.materials = run.file.materials;
    read_surfaces(run, record);
    fluid_particles = record.at("fluid_particles");
    recorded = record.value("frames", std::uint32_t{0});
    status = record.value("status", "");
  } catch (const Json::parse_error&) {
    throw Error((folder / "run.json").string() + ": is no whole JSON; run the scene again");
  } catch (const Json::exception&) {
    throw Error((folder / "run.json").string() +
                ": not as this version of sluice writes it, with a key that is missing or of another type; run the "
                "scene again");
  }
  if (run.series.fluids.size() != run.scene.materials.size())
    throw Error((folder / "run.json").string() + ": its series do not fit its materials; run the scene again");
  if (!run.series.bodies.empty())
    run.bodies = of_run([&] { return read_bodies(folder / "bodies.csv", run.scene.rigid); });
  find_frames(run);
  if (status != "done") run.warnings.push_back(folder.string() + ": the run is not done, but " + status);
  if (recorded > run.frames.size())
    run.warnings.push_back(folder.string() + ": the run wrote " + std::to_string(recorded) + " frames, of which " +
                           std::to_string(run.frames.size()) + " are whole");

  const Frame first = read_frame(run, run.frames.front());
  if (first.position.size() != fluid_particles)
    throw Error(folder.string() + ": run.json tells of " + std::to_string(fluid_particles) +
                " fluid particles, the first frame has " + std::to_string(first.position.size()) +
                "; run the scene again");
  run.samples = first.sample_position.size();
  for (std::size_t i = 0; i < first.position.size(); ++i) {
    const auto& [x, y, z] = first.position[i];
    FluidParticle& particle = run.scene.fluid.emplace_back();
    particle.position = {x, y, z};
    particle.material = first.material[i];
    if (i < first.velocity.size())
      particle.velocity = {first.velocity[i][0], first.velocity[i][1], first.velocity[i][2]};
  }
  for (std::size_t b = 0; b < first.bodies.size(); ++b) {
    run.scene.rigid[b].position = first.bodies[b].position;
    run.scene.rigid[b].orientation = first.bodies[b].orientation;
  }
  return run;
}

namespace {

ParticleFrame read_part(const StoredRun& run, const std::string& series, const SeriesFrame& stored) {
  const fs::path path = run.folder / frame_file_name(series, stored.number);
  ParticleFrame part = of_run([&] { return read_vtp(path); });
  if (part.time != stored.time)
    throw Error(path.string() + ": is of t = " + std::to_string(part.time) + " s, not " + std::to_string(stored.time) +
                " s as the run's index has it; run the scene again");
  return part;
}

}  // namespace

Frame read_frame(const StoredRun& run, const SeriesFrame& stored) {
  Frame frame;
  frame.number = stored.number;
  frame.time = stored.time;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (std::uint32_t material = 0; material < run.series.fluids.size(); ++material) {
    const std::string& name = run.series.fluids[material];
    if (name.empty()) continue;
    const ParticleFrame part = read_part(run, name, stored);
    append(frame.position, part.position);
    append(frame.velocity, part.velocity);
    append(frame.density, part.density);
    append(frame.pressure, part.pressure);
    append(frame.id, part.id);
    frame.material.resize(frame.position.size(), material);
  }
  if (!run.series.bodies.empty()) {
    ParticleFrame samples = read_part(run, run.series.bodies, stored);
    frame.sample_position = std::move(samples.position);
    frame.sample_pressure = std::move(samples.pressure);
    frame.sample_friction = std::move(samples.friction);
    frame.sample_friction_used = std::move(samples.friction_used);
    frame.sample_body = std::move(samples.body);
    frame.bodies = run.bodies.at(stored.number);
  }
  // While the run is opened there is no first frame yet. Particles that leave the domain are in no later frame.
  if (!run.scene.fluid.empty() && frame.position.size() > run.scene.fluid.size())
    throw Error(run.folder.string() + ": frame " + std::to_string(stored.number) + " has " +
                std::to_string(frame.position.size()) + " fluid particles, the first one " +
                std::to_string(run.scene.fluid.size()) + "; run the scene again");
  if (run.samples > 0 && frame.sample_position.size() != run.samples)
    throw Error(run.folder.string() + ": frame " + std::to_string(stored.number) + " has " +
                std::to_string(frame.sample_position.size()) + " samples of bodies, the first one " +
                std::to_string(run.samples) + "; run the scene again");
  return frame;
}

}  // namespace sluice::io
