// One scene, one hash: whatever the driver, the way the work is cut into submits, the place and the units.
#include <doctest/doctest.h>

#include <set>

#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/rigid_rig.h"
#include "tests/scene_builders.h"

namespace sluice::tests {
namespace {

struct Variant {
  std::string name;
  Scene scene;
  SimulationOptions options;
};

std::vector<Variant> submit_variants(const Scene& scene) {
  return {{"1 iteration a tick, 1 tick a submit", scene, {.iterations_per_tick = 1, .ticks_per_submit = 1}},
          {"1 iteration a tick, 50 ticks a submit", scene, {.iterations_per_tick = 1, .ticks_per_submit = 50}},
          {"4 iterations a tick, 50 ticks a submit", scene, {.iterations_per_tick = 4, .ticks_per_submit = 50}},
          {"16 iterations a tick, 1 tick a submit", scene, {.iterations_per_tick = 16, .ticks_per_submit = 1}},
          {"16 iterations a tick, 50 ticks a submit", scene, {.iterations_per_tick = 16, .ticks_per_submit = 50}}};
}

std::vector<Variant> storage_variants(const Scene& scene) {
  return {{"rows of 8 entries", scene, {.row_capacity = 8}},
          {"rows of 64 entries", scene, {.row_capacity = 64}},
          {"pages of 64 KiB", scene, {.page_bytes = 65536}}};
}

// 10 km is 250,000 cells of 4 cm.
std::vector<Variant> place_and_unit_variants(const Scene& scene) {
  return {{"25 cells along x", shifted_by_cells(scene, 25, 0, 0), {}},
          {"-7 cells along y, 3 along z", shifted_by_cells(scene, 0, -7, 3), {}},
          {"10 km away", shifted_by_cells(scene, 250000, -250000, 250000), {}},
          {"lengths x 100, times x 10", scaled(scene, 100, 10), {}},
          {"lengths x 0.25, times x 0.5", scaled(scene, 0.25, 0.5), {}}};
}

std::vector<Variant> all_variants(const Scene& scene) {
  std::vector<Variant> all = submit_variants(scene);
  for (auto&& more : {storage_variants(scene), place_and_unit_variants(scene)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

// The hash of a run that went through all of its steps.
std::uint64_t hash_of(Gpu& gpu, const Scene& scene, const SimulationOptions& options = {}) {
  const Run run = run_scene(gpu, scene, options);
  const double steps = scene.time.frame_interval / scene.time.max_step;
  CHECK(static_cast<double>(run.steps.size()) == doctest::Approx(steps).epsilon(1e-9));
  return run.last.state_hash;
}

// The hashes that were met: one.
std::set<std::uint64_t> check_one_hash(Gpu& gpu, const Scene& scene, const std::vector<Variant>& variants) {
  const std::uint64_t hash = hash_of(gpu, scene);
  std::set<std::uint64_t> hashes{hash};
  for (const Variant& variant : variants) {
    CAPTURE(scene.name);
    CAPTURE(variant.name);
    const std::uint64_t other = hash_of(gpu, variant.scene, variant.options);
    CHECK(other == hash);
    hashes.insert(other);
  }
  return hashes;
}

Scene small_column(int steps) { return with_fixed_steps(dyadic(hydrostatic(6, 8, 0.02, 0.02, 0.001)), 0.001, steps); }
Scene small_collision(int steps) { return with_fixed_steps(dyadic(collision(6)), 0.001, steps); }
Scene small_tank(int steps) { return with_fixed_steps(dyadic(stirred_moving_tank(5, 6)), 0.001, steps); }

}  // namespace

TEST_CASE("a collision of 200 steps has one hash in two runs and on two drivers") {
  MessageGuard guard(lavapipe()), other_guard(swiftshader());
  const Scene scene = small_collision(200);
  const std::uint64_t hash = hash_of(lavapipe(), scene);
  CHECK(hash_of(lavapipe(), scene) == hash);
  CHECK(hash_of(swiftshader(), scene) == hash);
}

TEST_CASE("a column and a stirred moving tank have one hash on two drivers") {
  MessageGuard guard(lavapipe()), other_guard(swiftshader());
  for (const Scene& scene : {small_column(40), small_tank(40)}) {
    CAPTURE(scene.name);
    CHECK(hash_of(lavapipe(), scene) == hash_of(swiftshader(), scene));
  }
}

TEST_CASE("how many iterations and ticks a submit records changes no bit") {
  MessageGuard guard(lavapipe());
  for (const Scene& scene : {small_column(12), small_tank(12)})
    check_one_hash(lavapipe(), scene, submit_variants(scene));
}

TEST_CASE("ticks and iterations of a submit change no bit on SwiftShader either") {
  MessageGuard guard(swiftshader());
  const Scene scene = small_tank(10);
  check_one_hash(swiftshader(), scene, {submit_variants(scene)[1], submit_variants(scene)[3]});
}

TEST_CASE("capacity and pages of neighbour rows change no bit") {
  MessageGuard guard(lavapipe());
  for (const Scene& scene : {small_column(12), small_tank(12)})
    check_one_hash(lavapipe(), scene, storage_variants(scene));
}

TEST_CASE("a shift by whole cells, near or 10 km, and other units change no bit") {
  MessageGuard guard(lavapipe());
  for (const Scene& scene : {small_column(10), small_tank(10), small_collision(14)}) {
    check_one_hash(lavapipe(), scene, place_and_unit_variants(scene));
  }
}

// Host side only, so that many shifts can be tried: equal sides must not be told apart by the rounding of coordinates.
TEST_CASE("neither the place nor the units of a scene choose other cell keys or device coordinates") {
  const auto same = [](const gpu::Grid& a, const gpu::Grid& b) {
    return a.mask_x == b.mask_x && a.mask_y == b.mask_y && a.mask_z == b.mask_z;
  };
  for (const Scene& scene : {small_column(1), small_tank(1), small_collision(1)}) {
    CAPTURE(scene.name);
    const Sizes sizes = sizes_of(scene, {});
    const Units units = units_of(scene);
    const auto check = [&](const Scene& moved) {
      const Sizes moved_sizes = sizes_of(moved, {});
      CHECK(same(moved_sizes.grid, sizes.grid));
      CHECK(same(moved_sizes.boundary_grid, sizes.boundary_grid));
      const Units moved_units = units_of(moved);
      for (std::size_t i = 0; i < scene.fluid.size(); i += 7) {
        CHECK(to_fixed(moved_units, moved.fluid[i].position).position ==
              to_fixed(units, scene.fluid[i].position).position);
      }
    };
    for (int k = 1; k <= 40; ++k) {
      check(shifted_by_cells(scene, k, -3 * k, 7 * k));
      check(shifted_by_cells(scene, 250000 + k, k, -k));
      check(scaled(scene, 0.37 * k, k));
    }
  }
}

TEST_CASE(
    "gathers by address and by texels make the same bits, bodies, rows that spill and a pool that grows included") {
  Scene scene = two_boxes("boxes in fluid", true);
  scene.time = {.end = 0.003, .max_step = 0.001, .cfl = 0.4, .frame_interval = 0.003};
  const std::uint64_t hash = run_scene(lavapipe(), scene, {.gather = Gather::addresses}).last.state_hash;
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    CHECK(run_scene(*gpu, scene, {.row_capacity = 8, .spill_blocks = 1, .gather = Gather::texels}).last.state_hash ==
          hash);
    CHECK(run_scene(*gpu, scene, {.page_bytes = 65536, .gather = Gather::texels}).last.state_hash == hash);
  }
}

TEST_CASE("passes that leave out materials since there is one give the bits of those that load two alike") {
  MessageGuard guard(lavapipe());
  const Scene scene = small_column(20);
  REQUIRE(scene.materials.size() == 1);
  REQUIRE(scene.materials[0].viscosity > 0);
  Scene twins = scene;
  twins.materials.push_back(scene.materials[0]);
  twins.materials[1].name = "twin";
  for (std::size_t i = 0; i < twins.fluid.size(); i += 2) twins.fluid[i].material = 1;
  const std::uint64_t hash = hash_of(lavapipe(), scene);
  CHECK(hash_of(lavapipe(), twins) == hash);
  twins.materials[1].viscosity *= 0.5;
  CHECK(hash_of(lavapipe(), twins) != hash);
}

TEST_CASE("a hash tells states apart: one particle's speed, a step more, another gravity") {
  MessageGuard guard(lavapipe());
  const Scene scene = small_column(10);
  const std::uint64_t hash = hash_of(lavapipe(), scene);
  Scene nudged = scene;
  nudged.fluid[100].velocity.x += 1e-6;
  CHECK(hash_of(lavapipe(), nudged) != hash);
  CHECK(hash_of(lavapipe(), small_column(11)) != hash);
  Scene other_gravity = scene;
  other_gravity.gravity.y *= 1 + 1e-6;
  CHECK(hash_of(lavapipe(), other_gravity) != hash);
}

TEST_CASE("rows that alternate in memory give the same state as rows that do not") {
  MessageGuard guard(lavapipe());
  constexpr std::uint32_t kSteps = 4, kTicks = 40, kIterations = 8;
  const Scene scene = small_tank(20);
  const auto state_after = [&](std::uint32_t interleave, std::uint32_t row_capacity) {
    Rig rig(lavapipe(), scene, {.row_capacity = row_capacity, .spill_blocks = 2000}, interleave);
    for (std::uint32_t tick = 0; tick < kTicks && rig.control().step < kSteps; ++tick) rig.tick(kIterations);
    REQUIRE(rig.control().step == kSteps);
    std::vector<std::uint32_t> words;
    for (const auto* buffer : {&rig.state.stored_position, &rig.state.stored_low, &rig.state.stored_velocity}) {
      for (const gpu::uvec4& v : vulkan::download(rig.device, *buffer, rig.particles())) {
        words.insert(words.end(), {v.x, v.y, v.z, v.w});
      }
    }
    return words;
  };
  const std::vector<std::uint32_t> words = state_after(1, 40);
  CHECK(state_after(8, 40) == words);
  CHECK(state_after(64, 12) == words);
}

namespace {

// Both drivers, every cut of the work, place, unit and store of rows.
void check_200_steps(Scene scene) {
  scene = with_fixed_steps(dyadic(scene), 0.001, 200);
  Gpu mesa = Gpu::create({.device = "llvmpipe"});
  swiftshader();  // makes the loader see both drivers
  Gpu swift = Gpu::create({.device = "SwiftShader"});
  std::vector<Variant> variants = all_variants(scene);
  variants.push_back({"again", scene, {}});
  std::set<std::uint64_t> hashes = check_one_hash(mesa, scene, variants);
  hashes.insert(hash_of(swift, scene));
  hashes.insert(hash_of(swift, scene, {.iterations_per_tick = 4, .ticks_per_submit = 50}));
  hashes.insert(hash_of(swift, scaled(scene, 100, 10)));
  report_figure({.name = scene.name + ", " + std::to_string(scene.fluid.size()) + " particles, 200 steps: hashes of " +
                         std::to_string(variants.size() + 4) + " runs on lavapipe and SwiftShader",
                 .value = static_cast<double>(hashes.size()),
                 .exact = 1,
                 .source = "strict arithmetic"});
}

}  // namespace

TEST_CASE("a column has one hash after 200 steps" * doctest::test_suite("full") * doctest::skip()) {
  check_200_steps(hydrostatic(12, 10, 0.02, 0.02, 0.001));
}

TEST_CASE("a pillar has one hash after 200 steps" * doctest::test_suite("full") * doctest::skip()) {
  Scene scene = hydrostatic(8, 15, 0.02, 0.01, 0.001);
  scene.name = "pillar";
  check_200_steps(scene);
}

TEST_CASE("a large collision has one hash after 200 steps" * doctest::test_suite("full") * doctest::skip()) {
  check_200_steps(collision(8));
}

TEST_CASE("a stirred moving tank has one hash after 200 steps" * doctest::test_suite("full") * doctest::skip()) {
  check_200_steps(stirred_moving_tank(8, 8));
}

// Where the same bits are not asked for. Rows are filled up with pairs of a particle with itself, which must not count.
TEST_CASE("fast arithmetic comes close to the strict one, in water and in contacts") {
  Scene contacts = with_fixed_steps(crowd(), 0.001, 5);
  contacts.solver.max_iterations = 40;  // of the hundreds that so many overlaps would take
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    for (const Scene& scene : {with_fixed_steps(collision(6), 0.001, 5), contacts}) {
      CAPTURE(scene.name);
      const Frame strict = run_scene(*gpu, scene).last, fast = run_scene(*gpu, scene, {.fast_arithmetic = true}).last;
      double largest = 0;
      const auto compare = [&](const auto& a, const auto& b) {
        REQUIRE(a.size() == b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
          for (std::size_t axis = 0; axis < 3; ++axis) largest = std::max(largest, std::abs(a[i][axis] - b[i][axis]));
      };
      compare(strict.position, fast.position);
      compare(strict.sample_position, fast.sample_position);
      CHECK(largest < 1e-3 * scene.spacing);
      CHECK(strict.state_hash != fast.state_hash);
    }
  }
}

}  // namespace sluice::tests
