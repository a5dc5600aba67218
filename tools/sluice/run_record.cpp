#include "tools/sluice/run_record.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace sluice::program {
namespace {

std::uint64_t fnv1a(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ull;
  }
  return hash;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// In place and in fewer bytes: a full disk has no room for a second file.
void overwrite_record(const RunRecord& record) {
  const std::filesystem::path path = record.folder / record.kind.record;
  const std::string text = record.json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  const int file = open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size < static_cast<off_t>(text.size()) ||
      pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()) ||
      ftruncate(file, static_cast<off_t>(text.size())) != 0) {
    // Nothing is left to try.
  }
  if (file >= 0) close(file);
}

nlohmann::ordered_json to_json(Vec3 v) { return {v.x, v.y, v.z}; }

}  // namespace

std::string hex_text(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

nlohmann::ordered_json describe_run(const LoadedScene& loaded, const RunOptions& options, const DeviceInfo& device,
                                    const std::vector<MemoryPart>& memory, const io::SeriesNames& series) {
  const std::string scene = io::scene_to_json(loaded.file);
  std::uint64_t bytes = 0;
  for (const MemoryPart& part : memory) bytes += part.bytes;

  nlohmann::ordered_json json;
  io::put_files(json, {});  // the list stands first
  json["status"] = "running";
  json["sluice"] = SLUICE_VERSION;
  json["command"] = options.command;
  json["started"] = utc_now();
  json["device"] = {{"name", device.name}, {"driver", device.driver}, {"vulkan", device.api_version}};
  json["units"] = "SI: m, kg, s, N, Pa, J; y is up";
  json["scene_file"] = loaded.file.path.string();
  json["scene_hash"] = hex_text(fnv1a(scene));
  json["fluid_particles"] = loaded.scene.fluid.size();
  json["boundary_samples"] = loaded.scene.boundary.size();
  for (const RigidBody& body : loaded.scene.rigid) {
    const std::string shape = io::shape_file_name(body.shape, loaded.scene.shapes[body.shape].name);
    json["bodies"].push_back({{"name", body.name},
                              {"shape", shape},
                              {"mass", body.mass},
                              {"center_of_mass", to_json(body.center_of_mass)},
                              {"inertia", body.inertia},
                              {"friction", body.friction}});
  }
  for (std::size_t b = 0; b < loaded.scene.bodies.size(); ++b) {
    const Body& body = loaded.scene.bodies[b];
    json["boundaries"].push_back({{"name", body.name},
                                  {"surface", io::surface_file_name(b, body.name)},
                                  {"container", loaded.report.boundary_meshes[b].container},
                                  {"position", to_json(body.position)},
                                  {"velocity", to_json(body.velocity)},
                                  {"angular_velocity", to_json(body.angular_velocity)}});
  }
  json["series"] = {{"fluids", series.fluids}, {"bodies", series.bodies}, {"boundary", series.boundary}};
  const Domain& domain = loaded.scene.domain;
  json["domain"] = "unlimited";
  if (std::isfinite(domain.low.x)) json["domain"] = {{"low", to_json(domain.low)}, {"high", to_json(domain.high)}};
  json["device_memory_bytes"] = bytes;
  json["warnings"] = loaded.report.warnings;
  json["scene"] = nlohmann::ordered_json::parse(scene);
  return json;
}

void update_record(RunRecord& record, const nlohmann::ordered_json& changes) {
  const std::lock_guard lock(record.mutex);
  record.json.update(changes);
  io::put_files(record.json, record.files);
  if (record.lock) record.lock->check_in_place();
  io::write_run_json(record.folder, record.json, record.kind);
}

void close_record(RunRecord& record, const std::string& status, const std::string& sentence) {
  const std::unique_lock lock(record.mutex, std::chrono::milliseconds(300));
  if (!lock || record.folder.empty()) return;
  record.json["status"] = status;
  if (!sentence.empty()) record.json["error"] = sentence;
  try {
    io::put_files(record.json, record.files);
    if (record.lock) record.lock->check_in_place();
  } catch (const std::exception&) {
    return;  // the folder is gone, or another's
  }
  try {
    io::write_run_json(record.folder, record.json, record.kind);
  } catch (const std::exception&) {
    overwrite_record(record);
  }
}

}  // namespace sluice::program
