#include "host/sampling/fall_warnings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/scene/object_place.h"

namespace sluice::io {
namespace {

constexpr double kLevel = 1e-6;  // share of a direction that rounding leaves across gravity

// Whether a body may move along the world's axes that gravity has a part in: along every one, or any.
bool along(const std::array<bool, 3>& free, Vec3 g, bool every) {
  const double parts[] = {g.x, g.y, g.z};
  bool all = true, any = false;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(parts[i]) <= kLevel * length(g)) continue;
    all &= free[i];
    any |= free[i];
  }
  return every ? all : any;
}

bool points_up(Vec3 g) { return g.y > 0 && g.y >= std::max(std::abs(g.x), std::abs(g.z)); }

// The box around a thing in a frame whose z points down: what it covers, seen along gravity, and how far down it
// reaches.
struct Footprint {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
};

struct Frame {
  Vec3 across, along, down;
};

Frame frame_of(Vec3 gravity) {
  const Vec3 down = normalized(gravity);
  const Vec3 across = normalized(cross(down, std::abs(down.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 0, 1}));
  return {across, cross(down, across), down};
}

void take(Footprint& print, const Frame& frame, Vec3 p) {
  const Vec3 q{dot(p, frame.across), dot(p, frame.along), dot(p, frame.down)};
  print.low = {std::min(print.low.x, q.x), std::min(print.low.y, q.y), std::min(print.low.z, q.z)};
  print.high = {std::max(print.high.x, q.x), std::max(print.high.y, q.y), std::max(print.high.z, q.z)};
}

// Whether a part of `lower` may lie under a part of `upper`.
bool lies_under(const Footprint& lower, const Footprint& upper, double margin) {
  return lower.low.x < upper.high.x + margin && lower.high.x > upper.low.x - margin &&
         lower.low.y < upper.high.y + margin && lower.high.y > upper.low.y - margin && lower.high.z > upper.low.z;
}

struct Faller {
  std::string name;
  Footprint print;
};

bool moves_across(Vec3 velocity, Vec3 down) {
  return length(velocity - dot(velocity, down) * down) > kLevel * length(velocity);
}

}  // namespace

void warn_upwards(const Scene& scene, std::vector<std::string>& warnings) {
  if (!points_up(scene.gravity)) return;
  const bool falls = !scene.fluid.empty() || std::any_of(scene.rigid.begin(), scene.rigid.end(), [&](const auto& body) {
    return body.gravity_scale > 0 && along(body.free_translation, scene.gravity, false);
  });
  if (falls)
    warnings.push_back("\"gravity\" points up, for y is up: what is free falls upwards; if that is not meant, write " +
                       short_number(-scene.gravity.y) + " for its y");
}

// Only what no support can be under is told of: boundaries, held bodies and what lies on them cover the rectangles
// around them; and nothing is said of what is thrown or pushed, or where a boundary moves.
void warn_unsupported(const Scene& scene, const std::vector<FluidBlock>& blocks, std::vector<std::string>& warnings) {
  constexpr double kMostPairs = 1e8;  // compared within a second
  const double h = scene.spacing;
  if (!(length(scene.gravity) > 0) || points_up(scene.gravity)) return;
  if (std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) { return body.moving(); })) return;
  const Frame frame = frame_of(scene.gravity);
  std::vector<Footprint> supports(scene.bodies.size());
  for (const BoundarySample& sample : scene.boundary)
    if (!sample.backing) take(supports[sample.body], frame, sample.position);
  std::vector<Faller> fallers;
  for (const RigidBody& body : scene.rigid) {
    Footprint print;
    for (const RigidSample& sample : scene.shapes[body.shape].samples)
      take(print, frame, body.position + rotate(body.orientation, sample.position));
    const bool falls = body.gravity_scale > 0 && along(body.free_translation, scene.gravity, true) &&
                       length(body.force) == 0 && !moves_across(body.velocity, frame.down);
    if (falls)
      fallers.push_back({body.name, print});
    else
      supports.push_back(print);
  }
  for (const FluidBlock& block : blocks) {
    Footprint print;
    for (std::size_t i = block.begin; i < block.end; ++i) take(print, frame, scene.fluid[i].position);
    if (moves_across(block.object->velocity, frame.down))
      supports.push_back(print);
    else
      fallers.push_back({block.object->name, print});
  }
  if (supports.empty()) return;  // told of by warn_falling
  // Things that lie on a support are supports, too, so each round looks at those that the last one found.
  for (std::size_t begin = 0; begin < supports.size() && !fallers.empty();) {
    const std::size_t end = supports.size();
    if (1.0 * static_cast<double>(end - begin) * static_cast<double>(fallers.size()) > kMostPairs) return;
    std::vector<Faller> left;
    for (Faller& faller : fallers) {
      const bool rests = std::any_of(supports.begin() + static_cast<std::ptrdiff_t>(begin),
                                     supports.begin() + static_cast<std::ptrdiff_t>(end),
                                     [&](const Footprint& under) { return lies_under(under, faller.print, h); });
      if (rests)
        supports.push_back(faller.print);
      else
        left.push_back(std::move(faller));
    }
    fallers = std::move(left);
    begin = end;
  }
  if (fallers.empty()) return;
  const std::size_t others = fallers.size() - 1;
  const std::string what =
      "\"" + fallers.front().name + "\"" +
      (others == 0 ? "" : " and " + std::to_string(others) + (others == 1 ? " other thing" : " other things"));
  warnings.push_back("no boundary and no fixed body lies below " + what +
                     ", so what falls leaves the scene; put a floor or a tank there, move what falls over one, or set "
                     "\"gravity\" to [0, 0, 0]");
}

}  // namespace sluice::io
