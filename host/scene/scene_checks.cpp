// What numbers of a scene must satisfy together.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "host/scene/object_place.h"
#include "host/scene/scene_names.h"
#include "host/scene/scene_objects.h"

namespace sluice::io {
namespace {

constexpr double kMostSpacings = 1e6;  // width of a scene

// The key if the file has it, else what it would stand in, else the scene.
Spot first_of(const Spot& scene, std::string_view part, std::string_view key) {
  const Spot outer = at(scene, part);
  if (!outer) return scene;
  const Spot inner = at(outer, key);
  return inner ? inner : outer;
}

void check_times(Reader& reader, const Spot& scene, const SceneFile& file) {
  const double rate = file.output.frame_rate, frames = file.time.end * rate;
  if (!(frames < kMaxFrames))
    complain(reader, first_of(scene, "time", "end"),
             "the run would have " + short_number(frames) + " frames, of which fewer than " + short_number(kMaxFrames) +
                 " are possible; use a smaller \"end\" or \"frameRate\"");
  const Spot time = at(scene, "time");
  const char* key = time && at(time, "step") ? "step" : "maxStep";
  const double steps = 1 / rate / file.time.max_step;
  if (!(steps < kMaxStepsPerFrame))
    complain(reader, first_of(scene, "time", key),
             "a frame would take " + short_number(steps) + " steps, of which fewer than " +
                 short_number(kMaxStepsPerFrame) + " are possible; use a larger \"" + key + "\" or \"frameRate\"");
  if (!(1 / steps < kMaxFramesPerStep))
    complain(reader, first_of(scene, "time", key),
             "no step is longer than a frame, which takes 1/frameRate = " + short_number(1 / rate) + " s; write a \"" +
                 key + "\" of up to that");
}

double copies(const Object& object) {
  if (!object.has_repeat) return 1;
  const auto& n = object.repeat.count;
  return 1.0 * n[0] * n[1] * n[2];
}

struct Kind {
  Role role;
  std::size_t most;
  const char* name;
};

void check_counts(Reader& reader, const Spot& objects, const SceneFile& file) {
  for (const Kind& kind :
       {Kind{Role::boundary, kMaxBoundaries, "boundaries"}, {Role::rigid, kMaxRigidBodies, "rigid bodies"}}) {
    double count = 0;
    for (const Object& object : file.objects) {
      if (object.role != kind.role) continue;
      count += copies(object);
      if (count <= static_cast<double>(kind.most)) continue;
      const Spot spot = at(objects, index_of(object));
      complain(reader, at(spot, "repeat") ? at(at(spot, "repeat"), "count") : spot,
               "these are more than " + std::to_string(kind.most) + " " + kind.name +
                   ", copies counted, which is the limit; use fewer");
      break;
    }
  }
}

// Coordinates are told apart by a double's digits.
void check_places(Reader& reader, const Spot& objects, const SceneFile& file) {
  const double farthest = kFarthestPlace * file.spacing;
  const auto largest = [](Vec3 v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); };
  const std::string remedy = " particle spacings from the origin, where samples can no longer be told apart; ";
  for (const Object& object : file.objects) {
    const Spot spot = at(objects, index_of(object));
    if (!(largest(object.position) < farthest)) {
      complain(reader, at(spot, "position"),
               "this is more than " + short_number(kFarthestPlace) + remedy + "move the scene nearer to it");
    } else if (object.has_repeat) {
      const auto& n = object.repeat.count;
      const Vec3 step = object.repeat.step,
                 last = object.position + Vec3{(n[0] - 1) * step.x, (n[1] - 1) * step.y, (n[2] - 1) * step.z};
      if (!(largest(last) < farthest))
        complain(reader, at(at(spot, "repeat"), "step"),
                 "the last copy is more than " + short_number(kFarthestPlace) + remedy + "use a smaller step");
    }
  }
}

// Each number is within its range; a solver takes them together.
void check_length(Reader& reader, const Spot& object, std::string_view key, Vec3 v, double most, const char* unit) {
  const Spot spot = at(object, key);
  if (!spot || length(v) <= most) return;
  complain(reader, spot,
           "is " + short_number(length(v)) + unit + " together, and at most " + short_number(most) +
               " is possible; write smaller numbers");
}

void check_speeds(Reader& reader, const Spot& scene, const Spot& objects, const SceneFile& file) {
  check_length(reader, scene, "gravity", file.gravity, kMaxGravity, " m/s^2");
  for (const Object& object : file.objects) {
    const Spot spot = at(objects, index_of(object));
    check_length(reader, spot, "velocity", object.velocity, kMaxSpeed, " m/s");
    check_length(reader, spot, "angularVelocity", object.rigid.angular_velocity, kMaxSpin, " rad/s");
    if (!object.has_motion) continue;
    const Spot motion = at(spot, "motion");
    check_length(reader, motion, "velocity", object.motion.velocity, kMaxSpeed, " m/s");
    check_length(reader, motion, "angularVelocity", object.motion.angular_velocity, kMaxSpin, " rad/s");
    if (const Spot center = at(motion, "center");
        center && !(length(object.motion.center - object.position) < kMostSpacings * file.spacing))
      complain(reader, center,
               "this is more than " + short_number(kMostSpacings) +
                   " particle spacings from the object; write a place nearer to it, or a \"velocity\" for one so far");
  }
}

// Around the middle of its bounding box; 0 of a mesh, which has not been read.
double radius_of(const Shape& s) {
  if (s.kind == ShapeKind::mesh) return 0;
  return std::max({0.5 * length(s.box), s.radius + s.tube + 0.5 * s.height});
}

// A device counts how often a position wrapped in few bits.
void check_extent(Reader& reader, const Spot& objects, const SceneFile& file) {
  const double widest = kMostSpacings * file.spacing;
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Object& object : file.objects) {
    const double r = radius_of(object.shape);
    const auto& n = object.repeat.count;
    const Vec3 step = object.repeat.step,
               last = object.position + Vec3{(n[0] - 1) * step.x, (n[1] - 1) * step.y, (n[2] - 1) * step.z};
    for (const Vec3& p : {object.position, last}) {
      low = {std::min(low.x, p.x - r), std::min(low.y, p.y - r), std::min(low.z, p.z - r)};
      high = {std::max(high.x, p.x + r), std::max(high.y, p.y + r), std::max(high.z, p.z + r)};
    }
    const Vec3 size = high - low;
    if (std::max({size.x, size.y, size.z}) < widest) continue;
    return complain(reader, at(objects, index_of(object)),
                    "with this object the scene is " + short_number(std::max({size.x, size.y, size.z})) +
                        " m wide, more than " + short_number(kMostSpacings) +
                        " particle spacings; move it nearer to the others, make it smaller, or use a larger "
                        "particleSpacing");
  }
}

}  // namespace

std::size_t index_of(const Object& object) { return std::stoul(object.place.substr(object.place.rfind('/') + 1)); }

void check_together(Reader& reader, const Spot& scene, const SceneFile& file) {
  check_times(reader, scene, file);
  const Spot objects = at(scene, "objects");
  if (!objects) return;
  check_counts(reader, objects, file);
  check_speeds(reader, scene, objects, file);
  check_places(reader, objects, file);
  if (reader.problems.empty()) check_extent(reader, objects, file);
}

}  // namespace sluice::io
