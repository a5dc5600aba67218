#include "tests/reference/neighbors.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tests/reference/kernel.h"

namespace sluice::reference {
namespace {

bool are_neighbors(Vec3 a, Vec3 b) {
  const Vec3 d = a - b;
  return dot(d, d) < kSupport * kSupport;
}

// Cells are as wide as the support, so all neighbours lie in the 27 cells around a point's own. A cell's key has 21
// bits an axis with a margin of one cell; z varies fastest, so three cells in a row along z are one range of keys.
constexpr std::int64_t kCellLimit = std::int64_t{1} << 20;

std::uint64_t cell_key(Vec3 p) {
  const auto axis = [](double value) {
    const double cell = std::floor(value / kSupport);
    if (!(std::fabs(cell) < static_cast<double>(kCellLimit - 1))) {
      throw Error("reference neighbours: a particle is at " + std::to_string(value) +
                  " h, which no grid holds; the run has exploded, take a smaller step");
    }
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(cell) + kCellLimit);
  };
  return (axis(p.x) << 42) + (axis(p.y) << 21) + axis(p.z);
}

std::uint64_t neighbor_key(std::uint64_t key, std::int64_t x, std::int64_t y, std::int64_t z) {
  return key + static_cast<std::uint64_t>(x * (std::int64_t{1} << 42) + y * (std::int64_t{1} << 21) + z);
}

using KeyedIndex = std::pair<std::uint64_t, std::uint32_t>;

std::vector<KeyedIndex> sort_by_cell(const std::vector<Vec3>& points) {
  std::vector<KeyedIndex> keyed(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    keyed[i] = {cell_key(points[i]), i};
  }
  std::sort(keyed.begin(), keyed.end());
  return keyed;
}

// The points of cell `key` and of the two that follow it along z.
void append_three_cells(const std::vector<KeyedIndex>& keyed, std::uint64_t key, std::vector<std::uint32_t>& indices) {
  for (auto it = std::lower_bound(keyed.begin(), keyed.end(), KeyedIndex{key, 0}); it != keyed.end(); ++it) {
    if (it->first > key + 2) break;
    indices.push_back(it->second);
  }
}

}  // namespace

Rows find_by_brute_force(const std::vector<Vec3>& points, const std::vector<Vec3>& others, bool skip_self) {
  Rows rows;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    for (std::uint32_t j = 0; j < others.size(); ++j) {
      if (!(skip_self && i == j) && are_neighbors(points[i], others[j])) rows.index.push_back(j);
    }
    rows.start.push_back(static_cast<std::uint32_t>(rows.index.size()));
  }
  return rows;
}

Rows find_by_grid(const std::vector<Vec3>& points, const std::vector<Vec3>& others, bool skip_self) {
  const std::vector<KeyedIndex> keyed = sort_by_cell(others);
  std::vector<std::uint32_t> near;  // others in the 27 cells around `near_key`, ascending
  std::uint64_t near_key = ~std::uint64_t{0};

  // Cell by cell, so that the candidates are collected and sorted once for all points of a cell.
  std::vector<std::uint32_t> found;
  std::vector<std::pair<std::size_t, std::size_t>> found_range(points.size());
  found.reserve(points.size() * 40);
  for (const auto& [key, i] : sort_by_cell(points)) {
    if (key != near_key) {
      near_key = key;
      near.clear();
      for (std::int64_t x = -1; x <= 1; ++x) {
        for (std::int64_t y = -1; y <= 1; ++y) append_three_cells(keyed, neighbor_key(key, x, y, -1), near);
      }
      std::sort(near.begin(), near.end());
    }
    const std::size_t first = found.size();
    std::size_t last = first;
    found.resize(first + near.size());
    for (const std::uint32_t j : near) {
      found[last] = j;  // kept or overwritten by the next: one in seven is a neighbour, too few to predict
      last += are_neighbors(points[i], others[j]) && !(skip_self && i == j) ? 1 : 0;
    }
    found.resize(last);
    found_range[i] = {first, last};
  }

  Rows rows;
  rows.start.reserve(points.size() + 1);
  rows.index.reserve(found.size());
  for (const auto& [first, last] : found_range) {
    rows.index.insert(rows.index.end(), found.begin() + first, found.begin() + last);
    rows.start.push_back(static_cast<std::uint32_t>(rows.index.size()));
  }
  return rows;
}

Neighbors find_neighbors(const std::vector<Vec3>& fluid, const std::vector<Vec3>& boundary) {
  return {find_by_grid(fluid, fluid, true), find_by_grid(fluid, boundary, false)};
}

}  // namespace sluice::reference
