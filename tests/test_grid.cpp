// Cells, order and neighbour rows against brute force, on clouds that are hard in one way each.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/gpu.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr double kSpacing = 0.02;  // m

Scene cloud(const char* name, const std::vector<Vec3>& fluid, const std::vector<Vec3>& boundary) {
  Scene scene;
  scene.name = name;
  scene.spacing = kSpacing;
  scene.materials = {{"water", 1000, 0}};
  scene.bodies = {{"rock", {}, {}, {}}};
  for (const Vec3& x : fluid) scene.fluid.push_back({kSpacing * x, {}, 0});
  for (const Vec3& x : boundary) scene.boundary.push_back({kSpacing * x, 1, 0});
  return scene;
}

std::vector<Vec3> random_points(int count, double side, std::uint64_t seed) {
  Random random{seed};
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(side * (random.next_vec() + Vec3{0.5, 0.5, 0.5}));
  return points;
}

std::vector<Vec3> together(std::vector<Vec3> a, const std::vector<Vec3>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A ball of 500 in 1.8 h, all neighbours of each other.
std::vector<Vec3> crowd(Vec3 center) {
  Random random{77};
  std::vector<Vec3> points;
  while (points.size() < 501) {
    const Vec3 x = 1.8 * random.next_vec();
    if (length(x) < 0.9) points.push_back(center + x);
  }
  return points;
}

std::vector<Scene> hard_clouds() {
  const std::vector<Vec3> some = random_points(700, 8, 1), walls = random_points(300, 8, 2);
  std::vector<Vec3> coincident(60, Vec3{3.1, 3.2, 3.3}), borders, border_walls;
  for (int x = 0; x < 6; ++x) {
    for (int y = 0; y < 6; ++y) {
      for (int z = 0; z < 6; ++z) {
        borders.push_back(2.0 * Vec3{double(x), double(y), double(z)});        // corners of cells
        borders.push_back(2.0 * Vec3{double(x), double(y), double(z) + 0.5});  // on faces
        border_walls.push_back(2.0 * Vec3{x + 0.5, double(y), double(z)});
      }
    }
  }
  return {cloud("random", some, walls),
          cloud("coincident", together(some, coincident), together(walls, coincident)),
          cloud("cell borders", borders, border_walls),
          cloud("10 km away", together(some, {{500000, 0, 0}}), walls),
          cloud("crowded", together(some, crowd({4, 4, 4})), walls),
          cloud("no fluid", {}, walls),
          cloud("no boundary", some, {}),
          cloud("one", {{0, 0, 0}}, {}),
          cloud("one beside a wall", {{0, 0, 0}}, {{1, 0, 0}, {2, 0, 0}, {0, 1.999, 0}})};
}

std::vector<std::uint32_t> row_of(const reference::Rows& rows, std::size_t i) {
  return {rows.index.begin() + rows.start[i], rows.index.begin() + rows.start[i + 1]};
}

std::vector<std::uint32_t> ascending(std::vector<std::uint32_t> row) {
  std::sort(row.begin(), row.end());
  return row;
}

// Every row as a set equals that of brute force over the device's own positions. Returns the longest.
std::size_t check_rows(Rig& rig) {
  const std::vector<FoundRow> rows = rig.rows();
  const reference::Fluid fluid = rig.fluid();
  const reference::Boundary boundary = rig.boundary();
  const reference::Rows among = reference::find_by_brute_force(fluid.position, fluid.position, true);
  const reference::Rows to_boundary = reference::find_by_brute_force(fluid.position, boundary.position, false);
  std::size_t wrong = 0, longest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    wrong += ascending(rows[i].fluid) == row_of(among, i) ? 0 : 1;
    wrong += ascending(rows[i].boundary) == row_of(to_boundary, i) ? 0 : 1;
    longest = std::max(longest, rows[i].fluid.size());
  }
  CHECK(wrong == 0);
  return longest;
}

// The lowest set bit of a mask takes the lowest bit of the cell's index, and so on.
std::uint32_t plain_key(const gpu::uvec4& x, const gpu::Grid& grid) {
  const auto spread = [](std::uint32_t cell, std::uint32_t mask) {
    std::uint32_t key = 0;
    for (int bit = 0; bit < 32; ++bit) {
      if (mask >> bit & 1) {
        key |= (cell & 1) << bit;
        cell >>= 1;
      }
    }
    return key;
  };
  return spread(x.x >> 20, grid.mask_x) | spread(x.y >> 20, grid.mask_y) | spread(x.z >> 20, grid.mask_z);
}

template <typename Record>
bool same_bytes(const Record& a, const Record& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// Cells hold exactly the particles whose key they are, in the order in which those were.
void check_cells(const std::vector<gpu::uvec4>& sorted, const std::vector<gpu::uvec2>& cells, const gpu::Grid& grid) {
  std::vector<gpu::uvec2> expected(grid.cells, gpu::uvec2{0, 0});
  bool ascending_keys = true;
  for (std::uint32_t i = 0; i < sorted.size(); ++i) {
    const std::uint32_t key = plain_key(sorted[i], grid);
    ascending_keys &= i == 0 || plain_key(sorted[i - 1], grid) <= key;
    if (expected[key].y == 0) expected[key].x = i;
    expected[key].y = i + 1;
  }
  CHECK(ascending_keys);
  CHECK(std::equal(cells.begin(), cells.end(), expected.begin(), expected.end(), same_bytes<gpu::uvec2>));
}

void check_order(Rig& rig) {
  const std::uint32_t n = rig.particles();
  const auto sorted = vulkan::download(rig.device, rig.state.position, n);
  const auto sorted_low = vulkan::download(rig.device, rig.state.low, n);
  const auto sorted_velocity = vulkan::download(rig.device, rig.state.velocity, n);
  const auto position = vulkan::download(rig.device, rig.state.stored_position, n);
  const auto low = vulkan::download(rig.device, rig.state.stored_low, n);
  const gpu::Grid& grid = rig.state.sizes.grid;
  bool same = true, stable = true;
  std::vector<std::uint32_t> taken(n, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t from = sorted_velocity[i].w;  // before the first step ids are places
    ++taken[from];
    same &= sorted[i].x == position[from].x && sorted[i].y == position[from].y && sorted[i].z == position[from].z;
    same &= same_bytes(sorted_low[i], low[from]);
    if (i > 0 && plain_key(sorted[i], grid) == plain_key(sorted[i - 1], grid)) {
      stable &= sorted_velocity[i - 1].w < from;
    }
  }
  CHECK(same);
  CHECK(stable);
  CHECK(std::count(taken.begin(), taken.end(), 1u) == n);
  check_cells(sorted, vulkan::download(rig.device, rig.state.cell, grid.cells), grid);
  const auto samples = vulkan::download(rig.device, rig.state.boundary, rig.state.sizes.boundary);
  const gpu::Grid& walls = rig.state.sizes.boundary_grid;
  check_cells(samples, vulkan::download(rig.device, rig.state.boundary_cell, walls.cells), walls);
}

// Rows by particle id, as ascending ids: comparable between different orders of cells.
std::vector<std::vector<std::uint32_t>> rows_by_id(Rig& rig) {
  const auto velocity = vulkan::download(rig.device, rig.state.velocity, rig.particles());
  std::vector<std::vector<std::uint32_t>> by_id(velocity.size());
  const std::vector<FoundRow> rows = rig.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::uint32_t>& row = by_id[velocity[i].w];
    for (const std::uint32_t j : rows[i].fluid) row.push_back(velocity[j].w);
    std::sort(row.begin(), row.end());
    row.push_back(static_cast<std::uint32_t>(rows[i].boundary.size()));
  }
  return by_id;
}

}  // namespace

TEST_CASE("rows equal brute force on hard clouds, and are the same rows in the same order on a second run") {
  for (const Scene& scene : hard_clouds()) {
    CAPTURE(scene.name);
    std::vector<FoundRow> first;
    for (Gpu* gpu : drivers()) {
      CAPTURE(gpu->info().name);
      MessageGuard guard(*gpu);
      SimulationOptions options;
      options.spill_blocks = 40000;
      Rig rig(*gpu, scene, options);
      rig.tick(0);
      REQUIRE(rig.control().phase == gpu::kPhaseSolve);
      const std::size_t longest = check_rows(rig);
      if (scene.name == "crowded") CHECK(longest >= 500);
      if (scene.name == "coincident") CHECK(longest >= 59);
      check_order(rig);
      Rig again(*gpu, scene, options);
      again.tick(0);
      const std::vector<FoundRow> rows = rig.rows();
      CHECK((again.rows() == rows));
      if (!first.empty()) CHECK((rows == first));
      first = rows;
    }
  }
}

TEST_CASE("the order of cells, the length of a row, the size of a page and the interleave never change a row") {
  const Scene scene = cloud("large", together(random_points(3000, 13, 3), crowd({5, 5, 5})), random_points(900, 13, 4));
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    std::vector<FoundRow> expected[2];
    std::vector<std::vector<std::uint32_t>> expected_by_id;
    for (const bool row_order : {false, true}) {
      for (const std::uint32_t capacity : {40u, 8u}) {
        for (const std::uint32_t interleave : {1u, 8u, 32u}) {
          CAPTURE(row_order);
          CAPTURE(capacity);
          CAPTURE(interleave);
          SimulationOptions options;
          options.row_order = row_order;
          options.row_capacity = capacity;
          options.page_bytes = interleave == 1 ? std::uint64_t{256} << 20 : 65536;
          options.spill_blocks = 60000;
          Rig rig(*gpu, scene, options, interleave);
          rig.tick(0);
          REQUIRE(rig.control().phase == gpu::kPhaseSolve);
          if (interleave > 1) CHECK(rig.state.row_pages.size() > 1);
          const std::vector<FoundRow> rows = rig.rows();
          if (expected[row_order].empty()) {
            check_rows(rig);
            check_order(rig);
            expected[row_order] = rows;
            const auto by_id = rows_by_id(rig);
            if (!row_order) expected_by_id = by_id;
            CHECK((by_id == expected_by_id));
          }
          CHECK((rows == expected[row_order]));
        }
      }
    }
    CHECK_FALSE((expected[0] == expected[1]));
  }
}

TEST_CASE("neighbours find each other across the wrap of the coordinates") {
  // The origin lies a cell before the lowest particle, so the 32 bits end 8190 h from that particle. It is out of the
  // way: across 8192 h it would be taken for a neighbour.
  const std::vector<Vec3> fluid{{0, 50, 0}, {8189.3, 1, 1}, {8190.4, 1, 1}, {8190.9, 0, 1}};
  const std::vector<Vec3> boundary{{8190.1, 1.5, 1}, {8189.0, 1, 2.3}};
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Rig rig(*gpu, cloud("wrap", fluid, boundary));
    rig.tick(0);
    const auto by_id = rows_by_id(rig);  // neighbours, then the count of boundary neighbours
    CHECK(by_id[0] == std::vector<std::uint32_t>{0});
    CHECK(by_id[1] == std::vector<std::uint32_t>{2, 3, 2});
    CHECK(by_id[2] == std::vector<std::uint32_t>{1, 3, 2});
    CHECK(by_id[3] == std::vector<std::uint32_t>{1, 2, 1});
    const auto low = vulkan::download(rig.device, rig.state.stored_low, 4);
    CHECK(unpack_wraps(low[1].w)[0] == 0);
    CHECK(unpack_wraps(low[2].w)[0] == 1);
    const reference::Fluid seen = rig.fluid();
    const reference::Rows rows = reference::find_by_brute_force(seen.position, seen.position, true);
    CHECK(rows.index.size() == 6);
  }
}

TEST_CASE("a spill pool that is too small asks for what it needs and leaves the state alone") {
  const Scene scene = cloud("crowded", together(random_points(700, 8, 1), crowd({4, 4, 4})), random_points(300, 8, 2));
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    SimulationOptions options;
    options.spill_blocks = 3;
    Rig rig(*gpu, scene, options);
    const auto before = vulkan::download(rig.device, rig.state.stored_position, rig.particles());
    // No pass may follow rows that were never written.
    const std::vector<gpu::vec4> untouched(rig.particles(), gpu::vec4{1, 2, 3, 4});
    vulkan::upload<gpu::vec4>(rig.device, rig.state.acceleration, untouched);
    vulkan::upload<gpu::vec4>(rig.device, rig.state.solve, untouched);
    rig.tick(4);
    CHECK(rig.control().phase == gpu::kPhaseCapacity);
    CHECK(rig.control().failure == gpu::kFailureNone);

    const reference::Fluid fluid = rig.fluid();
    const reference::Rows among = reference::find_by_grid(fluid.position, fluid.position, true);
    const reference::Rows walls = reference::find_by_grid(fluid.position, rig.boundary().position, false);
    std::uint32_t needed = 0;
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
      const std::uint32_t end = among.start[i + 1] - among.start[i] + walls.start[i + 1] - walls.start[i];
      needed += end > 40 ? (end + 15) / 16 : 0;
    }
    CHECK(rig.control().spill_needed == needed);

    const auto after = vulkan::download(rig.device, rig.state.stored_position, rig.particles());
    CHECK(std::equal(before.begin(), before.end(), after.begin(), same_bytes<gpu::uvec4>));
    for (const auto* buffer : {&rig.state.acceleration, &rig.state.solve}) {
      const auto values = vulkan::download(rig.device, *buffer, rig.particles());
      CHECK(std::equal(values.begin(), values.end(), untouched.begin(), same_bytes<gpu::vec4>));
    }

    rig.state.grow_spill_pool(needed);
    gpu::Control control = rig.control();
    control.phase = gpu::kPhaseBegin;
    control.spill_capacity = needed;
    rig.set_control(control);
    rig.tick(0);
    CHECK(rig.control().phase == gpu::kPhaseSolve);
    check_rows(rig);
  }
}

TEST_CASE("a run that has to regrow its spill pool ends in the same state as one with a large pool") {
  Scene scene = stirred_column();
  scene.solver.warm_start_fluid = 0.3;  // the pressures of the last step are state, too
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    std::uint64_t hashes[2];
    for (int small = 0; small < 2; ++small) {
      SimulationOptions options;
      options.row_capacity = 8;
      options.spill_blocks = small ? 700 : 5000;
      Simulation simulation(*gpu, scene, options);
      simulation.next_frame();
      for (std::size_t steps = 0; steps < 12;) steps += simulation.advance().size();
      // Submits take one step and more; both runs go on to the frame, where the device stops.
      while (!simulation.frame_ready()) simulation.advance();
      hashes[small] = simulation.state_hash();
    }
    CHECK(hashes[0] == hashes[1]);
  }
}
