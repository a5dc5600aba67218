// The C interface: what it can do beyond tools/embed/main.c, and that its errors are values.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "host/io/atomic_file.h"
#define VK_NO_PROTOTYPES  // functions come by volk
#include "sluice/sluice_c.h"
#include "tests/folder.h"
#include "tests/foreign_device.h"

namespace sluice::tests {
namespace {

const char* kScene = R"({ "particleSpacing": 0.05, "time": { "end": 0.1, "maxStep": 0.004 },
  "materials": { "water": { "type": "fluid" }, "oak": { "type": "rigid", "density": 700 } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [0.6, 0.4, 0.25], "open": "top" }, "position": [0, 0.2, 0] },
    { "name": "water", "role": "fluid", "material": "water", "shape": { "box": [0.2, 0.2, 0.25] },
      "position": [-0.2, 0.1, 0] },
    { "name": "box", "role": "rigid", "material": "oak", "shape": { "box": [0.15, 0.1, 0.15] },
      "position": [0.15, 0.05, 0] } ] })";

struct SceneFolder : TestFolder {
  SceneFolder() { io::write_file(path / "scene.json", kScene); }
};

struct FromC {
  explicit FromC(const SceneFolder& folder, const char* driver = "llvmpipe") : foreign({.device = driver}) {
    const ExternalDevice e = foreign.external();
    const sluice_external_device device{e.get_instance_proc_addr, e.instance, e.physical_device, e.device, e.queue,
                                        e.queue_family,           e.enabled,  e.debug_utils};
    sluice_options options{};
    options.moving_boundaries = VK_TRUE;
    REQUIRE_MESSAGE(sluice_gpu_adopt(&device, &gpu, &error) == 0, error.message);
    REQUIRE_MESSAGE(
        sluice_simulation_load(gpu, (folder.path / "scene.json").c_str(), &options, &simulation, &error) == 0,
        error.message);
  }
  ~FromC() {
    sluice_simulation_destroy(simulation);
    sluice_gpu_destroy(gpu);
    for (const std::string& message : foreign.messages) FAIL_CHECK(message);
  }
  sluice_report step(double until, std::uint32_t ticks = 4) {
    const VkCommandBuffer commands = foreign.begin();
    std::uint64_t ticket = 0;
    sluice_report report{};
    REQUIRE(sluice_record(simulation, commands, ticks, until, &ticket, &error) == 0);
    foreign.submit(commands);
    foreign.wait();
    REQUIRE(sluice_retire(simulation, ticket, &report, &error) == 0);
    REQUIRE_MESSAGE(!report.failed, error.message);
    return report;
  }
  std::uint64_t hash_at(double until, std::uint32_t ticks) {
    while (step(until, ticks).time < until - 1e-6) {
    }
    std::uint64_t hash = 0;
    REQUIRE(sluice_state_hash(simulation, &hash, &error) == 0);
    return hash;
  }

  ForeignDevice foreign;
  sluice_gpu* gpu = nullptr;
  sluice_simulation* simulation = nullptr;
  sluice_error error{};
};

TEST_CASE("the log of edits from C, applied at its steps, makes the same bits again") {
  const SceneFolder folder;
  FromC first(folder);
  std::uint32_t body = 9, tank = 9;
  REQUIRE(sluice_find_body(first.simulation, "box", &body, nullptr) == 0);
  REQUIRE(sluice_find_boundary(first.simulation, "tank", &tank, nullptr) == 0);
  const double up[3] = {0, 0.5, 0.1}, none[3] = {0, 0, 0}, sideways[3] = {0.2, 0, 0};
  first.step(0.01);
  CHECK(sluice_apply_impulse(first.simulation, body, up, none, nullptr) == 0);
  first.step(0.02);
  CHECK(sluice_set_motion(first.simulation, tank, sideways, none, nullptr) == 0);
  sluice_edit later{};
  later.kind = SLUICE_EDIT_FORCE;
  later.body = body;
  later.linear[2] = 2;
  later.step = 9;
  CHECK(sluice_apply_edit(first.simulation, &later, nullptr) == 0);
  const std::uint64_t expected = first.hash_at(0.06, 4);

  std::uint32_t count = 0;
  REQUIRE(sluice_edit_log(first.simulation, nullptr, 0, &count, nullptr) == 0);
  REQUIRE(count == 3);
  sluice_edit log[3];
  REQUIRE(sluice_edit_log(first.simulation, log, 3, &count, nullptr) == 0);
  CHECK(log[0].kind == SLUICE_EDIT_IMPULSE);
  CHECK(log[0].linear[1] == 0.5);
  CHECK(log[1].kind == SLUICE_EDIT_MOTION);
  CHECK(log[1].linear[0] == 0.2);
  CHECK(log[2].step == 9);
  CHECK(log[0].step < log[1].step);

  FromC again(folder, "SwiftShader"), plain(folder);
  for (const sluice_edit& edit : log) REQUIRE(sluice_apply_edit(again.simulation, &edit, nullptr) == 0);
  CHECK(again.hash_at(0.06, 3) == expected);
  CHECK(plain.hash_at(0.06, 4) != expected);
}

TEST_CASE("contacts from C: who touches whom, and how hard") {
  const SceneFolder folder;
  FromC c(folder);
  std::uint32_t count = 9;
  REQUIRE(sluice_read_contacts(c.simulation, nullptr, 0, &count, &c.error) == 0);
  CHECK(count == 0);  // before the first step
  while (c.step(0.06, 4).time < 0.06 - 1e-6) {
  }
  // A step whose solve goes on has overwritten the contacts.
  while (sluice_read_contacts(c.simulation, nullptr, 0, &count, &c.error) != 0) {
    CHECK(std::strstr(c.error.message, "under way") != nullptr);
    c.step(0.06, 4);
  }
  REQUIRE(count == 1);
  sluice_contact contact{};
  REQUIRE(sluice_read_contacts(c.simulation, &contact, 1, &count, nullptr) == 0);
  CHECK((contact.a == 0 && contact.b == 0 && contact.boundary && contact.samples > 3));
  CHECK(contact.normal[1] > 0.9);
  CHECK(contact.normal_force > 0);
  CHECK(std::fabs(contact.point[1]) < 0.02);
}

TEST_CASE("errors from C are values with a sentence") {
  const SceneFolder folder;
  FromC c(folder);
  std::uint32_t index = 7;
  const auto fails_with = [&](int result, const char* part) {
    CAPTURE(c.error.message);
    CHECK(result == 1);
    CHECK(std::strstr(c.error.message, part) != nullptr);
  };
  fails_with(sluice_find_body(c.simulation, "sphere", &index, &c.error), "no rigid body named \"sphere\"; it has box");
  fails_with(sluice_find_body(nullptr, "box", &index, &c.error), "null pointer");
  sluice_edit edit{};
  edit.kind = 17;
  fails_with(sluice_apply_edit(c.simulation, &edit, &c.error), "kind 17");
  edit = {};
  edit.kind = SLUICE_EDIT_FORCE;
  edit.body = 4;
  fails_with(sluice_apply_edit(c.simulation, &edit, &c.error), "rigid body 4");
  edit.body = 0;
  edit.linear[0] = NAN;
  fails_with(sluice_apply_edit(c.simulation, &edit, &c.error), "not finite");
  fails_with(sluice_edit_log(c.simulation, nullptr, 2, &index, &c.error), "null pointer");
  sluice_report report{};
  fails_with(sluice_retire(c.simulation, 5, &report, &c.error), "ticket");
  sluice_simulation* other = nullptr;
  fails_with(sluice_simulation_load(c.gpu, "/nowhere.json", nullptr, &other, &c.error), "/nowhere.json");
  CHECK(other == nullptr);
}

TEST_CASE("every call from C refuses null pointers, and what it would have made is zero") {
  const SceneFolder folder;
  FromC c(folder);
  const auto refused = [&](int code) {
    CHECK(code == 1);
    CHECK_MESSAGE(std::strstr(c.error.message, "null pointer"), c.error.message);
    c.error = {};
  };
  sluice_simulation* const s = c.simulation;
  sluice_error* const error = &c.error;
  const double three[3] = {0, 0, 0}, four[4] = {1, 0, 0, 0};
  const std::string path = (folder.path / "scene.json").string();
  std::uint64_t number = 7;
  std::uint32_t index = 7;
  sluice_report report{1, 2, 3, 4, 5, 6, 7};
  sluice_drawn_state state{};
  state.ticket = 7;
  sluice_simulation* simulation = s;
  sluice_gpu* gpu = c.gpu;
  const sluice_external_device nothing{};
  const sluice_edit edit{};
  sluice_contact contact{};
  sluice_require_features(nullptr, nullptr);
  sluice_gpu_destroy(nullptr);
  sluice_simulation_destroy(nullptr);
  refused(sluice_gpu_adopt(nullptr, &gpu, error));
  CHECK(gpu == nullptr);
  refused(sluice_gpu_adopt(&nothing, nullptr, error));
  CHECK(sluice_gpu_adopt(&nothing, &gpu, error) == 1);
  CHECK(std::strstr(error->message, "is null"));
  refused(sluice_simulation_load(nullptr, path.c_str(), nullptr, &simulation, error));
  CHECK(simulation == nullptr);
  refused(sluice_simulation_load(c.gpu, nullptr, nullptr, &simulation, error));
  refused(sluice_simulation_load(c.gpu, path.c_str(), nullptr, nullptr, error));
  refused(sluice_record(nullptr, VK_NULL_HANDLE, 1, 1, &number, error));
  CHECK(number == 0);
  refused(sluice_record(s, VK_NULL_HANDLE, 1, 1, nullptr, error));
  CHECK(sluice_record(s, VK_NULL_HANDLE, 1, 1, &number, error) == 1);
  CHECK(std::strstr(error->message, "no command buffer"));
  refused(sluice_retire(nullptr, 1, &report, error));
  CHECK((report.step == 0 && report.time == 0));
  refused(sluice_retire(s, 1, nullptr, error));
  refused(sluice_discard(nullptr, 1, error));
  refused(sluice_drawn(nullptr, 1, &state, error));
  CHECK(state.ticket == 0);
  refused(sluice_drawn(s, 1, nullptr, error));
  refused(sluice_check_current(nullptr, &state, error));
  refused(sluice_check_current(s, nullptr, error));
  number = 7;
  refused(sluice_state_hash(nullptr, &number, error));
  CHECK(number == 0);
  refused(sluice_state_hash(s, nullptr, error));
  index = 7;
  refused(sluice_read_contacts(nullptr, &contact, 1, &index, error));
  CHECK(index == 0);
  refused(sluice_read_contacts(s, nullptr, 1, &index, error));
  refused(sluice_read_contacts(s, &contact, 1, nullptr, error));
  index = 7;
  refused(sluice_find_body(s, nullptr, &index, error));
  CHECK(index == 0);
  refused(sluice_find_body(s, "box", nullptr, error));
  refused(sluice_find_boundary(nullptr, "tank", &index, error));
  refused(sluice_find_boundary(s, nullptr, &index, error));
  refused(sluice_find_boundary(s, "tank", nullptr, error));
  refused(sluice_set_motion(nullptr, 0, three, three, error));
  refused(sluice_set_motion(s, 0, nullptr, three, error));
  refused(sluice_set_motion(s, 0, three, nullptr, error));
  refused(sluice_set_force(nullptr, 0, three, three, error));
  refused(sluice_set_force(s, 0, nullptr, three, error));
  refused(sluice_set_force(s, 0, three, nullptr, error));
  refused(sluice_apply_impulse(nullptr, 0, three, three, error));
  refused(sluice_apply_impulse(s, 0, nullptr, three, error));
  refused(sluice_apply_impulse(s, 0, three, nullptr, error));
  refused(sluice_set_pose(nullptr, 0, three, four, error));
  refused(sluice_set_pose(s, 0, nullptr, four, error));
  refused(sluice_set_pose(s, 0, three, nullptr, error));
  refused(sluice_set_gravity(nullptr, three, error));
  refused(sluice_set_gravity(s, nullptr, error));
  refused(sluice_apply_edit(nullptr, &edit, error));
  refused(sluice_apply_edit(s, nullptr, error));
  refused(sluice_edit_log(nullptr, nullptr, 0, &index, error));
  refused(sluice_edit_log(s, nullptr, 0, nullptr, error));
  CHECK(sluice_set_gravity(s, nullptr, nullptr) == 1);  // nor is there a place for the sentence
}

}  // namespace
}  // namespace sluice::tests
