// The C interface: each call is that of the C++ one, with errors as values.
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>

#include "sluice/embed.h"
#include "sluice/load_scene.h"
#include "sluice/sluice_c.h"

using sluice::Vec3;

struct sluice_gpu {
  sluice::Gpu gpu;
};

struct sluice_simulation {
  std::unique_ptr<sluice::Simulation> simulation;
  std::vector<std::string> rigid, boundaries;  // names
  std::uint32_t steps = 0;
};

namespace {

void put(sluice_error* error, const std::string& sentence) {
  if (!error) return;
  const std::size_t length = std::min(sentence.size(), sizeof error->message - 1);
  std::memcpy(error->message, sentence.data(), length);
  error->message[length] = 0;
}

template <typename Call>
int guarded(sluice_error* error, Call call) {
  try {
    call();
    return 0;
  } catch (const std::exception& e) {
    put(error, e.what());
  } catch (...) {
    put(error, "an unknown failure");
  }
  return 1;
}

Vec3 to_vec(const double* v) { return {v[0], v[1], v[2]}; }

template <typename... Pointers>
void need(const char* call, Pointers... pointers) {
  if (((pointers == nullptr) || ...)) throw sluice::Error(std::string(call) + " was given a null pointer");
}

sluice_buffer_view to_c(const sluice::BufferView& v) {
  return {v.buffer, v.offset, v.address, v.stride, v.format, v.count};
}

std::uint32_t find(const std::vector<std::string>& names, const char* name, const char* kind) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  std::string known;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 8); ++i) known += (i ? ", " : "") + names[i];
  throw sluice::Error(std::string("the scene has no ") + kind + " named \"" + name + "\"; it has " +
                      (names.empty() ? "none" : known));
}

}  // namespace

extern "C" {

void sluice_require_features(VkPhysicalDeviceVulkan12Features* features12,
                             VkPhysicalDeviceVulkan13Features* features13) {
  if (features12 && features13) sluice::require_features(*features12, *features13);
}

int sluice_gpu_adopt(const sluice_external_device* device, sluice_gpu** gpu, sluice_error* error) {
  return guarded(error, [&] {
    if (gpu) *gpu = nullptr;
    need("sluice_gpu_adopt", device, gpu);
    *gpu = new sluice_gpu{
        sluice::Gpu::adopt({device->get_instance_proc_addr, device->instance, device->physical_device, device->device,
                            device->queue, device->queue_family, device->enabled, device->debug_utils == VK_TRUE})};
  });
}

void sluice_gpu_destroy(sluice_gpu* gpu) { delete gpu; }

int sluice_simulation_load(sluice_gpu* gpu, const char* scene_path, const sluice_options* options,
                           sluice_simulation** simulation, sluice_error* error) {
  return guarded(error, [&] {
    if (simulation) *simulation = nullptr;
    need("sluice_simulation_load", gpu, scene_path, simulation);
    const sluice::Scene scene = sluice::load_scene(scene_path);
    sluice::SimulationOptions settings;
    if (options) {
      settings.drawn = options->drawn;
      settings.drawn_origin = to_vec(options->drawn_origin);
      settings.moving_boundaries = options->moving_boundaries;
    }
    auto made = std::make_unique<sluice_simulation>();
    made->simulation = std::make_unique<sluice::Simulation>(gpu->gpu, scene, settings);
    for (const sluice::RigidBody& body : scene.rigid) made->rigid.push_back(body.name);
    for (const sluice::Body& body : scene.bodies) made->boundaries.push_back(body.name);
    *simulation = made.release();
  });
}

void sluice_simulation_destroy(sluice_simulation* simulation) { delete simulation; }

int sluice_record(sluice_simulation* simulation, VkCommandBuffer commands, uint32_t ticks, double until_time,
                  uint64_t* ticket, sluice_error* error) {
  return guarded(error, [&] {
    if (ticket) *ticket = 0;
    need("sluice_record", simulation, ticket);
    *ticket = simulation->simulation->record(commands, ticks, until_time).serial;
  });
}

int sluice_retire(sluice_simulation* simulation, uint64_t ticket, sluice_report* report, sluice_error* error) {
  return guarded(error, [&] {
    if (report) *report = {};
    need("sluice_retire", simulation, report);
    const sluice::Report done = simulation->simulation->retire({ticket});
    simulation->steps += static_cast<std::uint32_t>(done.steps.size());
    report->time = done.time;
    report->step = simulation->steps;
    report->steps = static_cast<std::uint32_t>(done.steps.size());
    if (!done.steps.empty()) {
      const sluice::StepRecord& last = done.steps.back();
      report->iterations = last.iterations;
      report->density_error = last.density_error_avg;
      report->max_speed = last.max_speed;
    }
    report->failed = !done.failure.empty();
    if (report->failed) put(error, done.failure);
  });
}

int sluice_discard(sluice_simulation* simulation, uint64_t ticket, sluice_error* error) {
  return guarded(error, [&] {
    need("sluice_discard", simulation);
    simulation->simulation->discard({ticket});
  });
}

int sluice_drawn(const sluice_simulation* simulation, uint64_t ticket, sluice_drawn_state* state, sluice_error* error) {
  return guarded(error, [&] {
    if (state) *state = {};
    need("sluice_drawn", simulation, state);
    const sluice::DrawnState s = simulation->simulation->drawn({ticket});
    *state = {s.ticket.serial,
              s.generation,
              s.time,
              s.indirect,
              s.points,
              s.quads,
              to_c(s.position),
              to_c(s.velocity),
              to_c(s.density),
              to_c(s.material),
              to_c(s.transform),
              s.rigid_bodies,
              s.boundary_bodies,
              to_c(s.sample_position),
              to_c(s.sample_friction),
              to_c(s.sample_body)};
  });
}

int sluice_check_current(const sluice_simulation* simulation, const sluice_drawn_state* state, sluice_error* error) {
  return guarded(error, [&] {
    need("sluice_check_current", simulation, state);
    sluice::DrawnState s;
    s.generation = state->generation;
    simulation->simulation->check_current(s);
  });
}

int sluice_state_hash(sluice_simulation* simulation, uint64_t* hash, sluice_error* error) {
  return guarded(error, [&] {
    if (hash) *hash = 0;
    need("sluice_state_hash", simulation, hash);
    *hash = simulation->simulation->state_hash();
  });
}

int sluice_find_body(const sluice_simulation* simulation, const char* name, uint32_t* body, sluice_error* error) {
  return guarded(error, [&] {
    if (body) *body = 0;
    need("sluice_find_body", simulation, name, body);
    *body = find(simulation->rigid, name, "rigid body");
  });
}

int sluice_find_boundary(const sluice_simulation* simulation, const char* name, uint32_t* boundary,
                         sluice_error* error) {
  return guarded(error, [&] {
    if (boundary) *boundary = 0;
    need("sluice_find_boundary", simulation, name, boundary);
    *boundary = find(simulation->boundaries, name, "boundary");
  });
}

int sluice_set_motion(sluice_simulation* simulation, uint32_t boundary, const double velocity[3],
                      const double angular_velocity[3], sluice_error* error) {
  return guarded(error, [&] {
    need("sluice_set_motion", simulation, velocity, angular_velocity);
    simulation->simulation->set_motion(boundary, to_vec(velocity), to_vec(angular_velocity));
  });
}

int sluice_set_force(sluice_simulation* simulation, uint32_t body, const double force[3], const double torque[3],
                     sluice_error* error) {
  return guarded(error, [&] {
    need("sluice_set_force", simulation, force, torque);
    simulation->simulation->set_force(body, to_vec(force), to_vec(torque));
  });
}

int sluice_apply_impulse(sluice_simulation* simulation, uint32_t body, const double impulse[3],
                         const double angular_impulse[3], sluice_error* error) {
  return guarded(error, [&] {
    need("sluice_apply_impulse", simulation, impulse, angular_impulse);
    simulation->simulation->apply_impulse(body, to_vec(impulse), to_vec(angular_impulse));
  });
}

int sluice_set_pose(sluice_simulation* simulation, uint32_t body, const double center_of_mass[3],
                    const double orientation[4], sluice_error* error) {
  return guarded(error, [&] {
    need("sluice_set_pose", simulation, center_of_mass, orientation);
    simulation->simulation->set_pose(body, to_vec(center_of_mass),
                                     {orientation[0], orientation[1], orientation[2], orientation[3]});
  });
}

int sluice_set_gravity(sluice_simulation* simulation, const double gravity[3], sluice_error* error) {
  return guarded(error, [&] {
    need("sluice_set_gravity", simulation, gravity);
    simulation->simulation->set_gravity(to_vec(gravity));
  });
}

int sluice_apply_edit(sluice_simulation* simulation, const sluice_edit* edit, sluice_error* error) {
  return guarded(error, [&] {
    need("sluice_apply_edit", simulation, edit);
    const double* q = edit->orientation;
    simulation->simulation->edit({static_cast<sluice::Edit::Kind>(edit->kind),
                                  edit->body,
                                  to_vec(edit->linear),
                                  to_vec(edit->angular),
                                  {q[0], q[1], q[2], q[3]},
                                  edit->step});
  });
}

int sluice_read_contacts(sluice_simulation* simulation, sluice_contact* contacts, uint32_t capacity, uint32_t* count,
                         sluice_error* error) {
  return guarded(error, [&] {
    if (count) *count = 0;
    need("sluice_read_contacts", simulation, count);
    if (capacity > 0) need("sluice_read_contacts", contacts);
    const std::vector<sluice::Contact> found = simulation->simulation->read_contacts();
    *count = static_cast<uint32_t>(found.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(capacity, found.size()); ++i) {
      const sluice::Contact& c = found[i];
      contacts[i] = {c.a,
                     c.b,
                     c.boundary ? VK_TRUE : VK_FALSE,
                     c.samples,
                     {c.point.x, c.point.y, c.point.z},
                     {c.normal.x, c.normal.y, c.normal.z},
                     c.normal_force,
                     {c.friction.x, c.friction.y, c.friction.z}};
    }
  });
}

int sluice_edit_log(const sluice_simulation* simulation, sluice_edit* edits, uint32_t capacity, uint32_t* count,
                    sluice_error* error) {
  return guarded(error, [&] {
    if (count) *count = 0;
    need("sluice_edit_log", simulation, count);
    if (capacity > 0) need("sluice_edit_log", edits);
    const std::vector<sluice::Edit>& log = simulation->simulation->edit_log();
    *count = static_cast<uint32_t>(log.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(capacity, log.size()); ++i) {
      const sluice::Edit& e = log[i];
      edits[i] = {static_cast<uint32_t>(e.kind),
                  e.body,
                  {e.linear.x, e.linear.y, e.linear.z},
                  {e.angular.x, e.angular.y, e.angular.z},
                  {e.orientation.w, e.orientation.x, e.orientation.y, e.orientation.z},
                  e.step};
    }
  });
}

}  // extern "C"

// The C header's numbers are the C++ one's.
static_assert(SLUICE_EDIT_MOTION == static_cast<int>(sluice::Edit::Kind::motion) &&
              SLUICE_EDIT_GRAVITY == static_cast<int>(sluice::Edit::Kind::gravity));
static_assert(SLUICE_NEXT_STEP == sluice::Edit::kNextStep);
