#include <algorithm>
#include <cmath>
#include <string>

#include "host/scene/scene_names.h"
#include "host/scene/scene_objects.h"

namespace sluice::io {
namespace {

constexpr double kParallel = 1e-9;  // sine of the angle below which two directions are one

// Whether the second moments of mass, tr(I) / 2 - I, can be: none is negative, beyond what rounding makes of a flat
// body.
bool is_of_a_body(const std::array<double, 6>& inertia) {
  const double scale = inertia[0] + inertia[1] + inertia[2];
  const double xx = 0.5 - inertia[0] / scale, yy = 0.5 - inertia[1] / scale, zz = 0.5 - inertia[2] / scale,
               xy = inertia[3] / scale, xz = inertia[4] / scale, yz = inertia[5] / scale;
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz + yz * xz) - xz * (xy * yz + yy * xz);
  return std::min({xx, yy, zz, xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz, determinant}) > -1e-9;
}

void read_inertia(Reader& reader, const Spot& object, std::optional<std::array<double, 6>>& out) {
  const Spot spot = at(object, "inertia");
  if (!spot || !expect(reader, spot, JsonKind::array, " of 6 numbers, [xx, yy, zz, xy, xz, yz]")) return;
  const std::size_t count = spot.node->children.size();
  if (count != 6)
    return complain(reader, spot, "must hold 6 numbers, [xx, yy, zz, xy, xz, yz], not " + std::to_string(count));
  std::array<double, 6> tensor{};
  for (std::size_t i = 0; i < 6; ++i) {
    if (!expect_in(reader, at(spot, i), kMoment)) return;
    tensor[i] = spot.node->children[i].number;
  }
  if (!is_positive_definite(tensor)) {
    return complain(reader, spot,
                    "must be positive definite, as the tensor of every solid body is; a ball's is [a, a, a, 0, 0, 0]");
  }
  if (!is_of_a_body(tensor)) {
    return complain(
        reader, spot,
        "no body has this tensor: of the moments about any three axes at right angles, two must add up to the "
        "third or more; leave it out to take it from the shape");
  }
  if (std::min({tensor[0], tensor[1], tensor[2]}) < kLeastMoment)
    return complain(reader, spot, "its first three numbers must be at least 1e-30, in kg m^2; check the unit");
  out = tensor;
}

void read_free_translation(Reader& reader, const Spot& object, std::array<bool, 3>& out) {
  const Spot spot = at(object, "freeTranslation");
  if (!spot || !expect(reader, spot, JsonKind::array, " of 3, [x, y, z], of true or false")) return;
  const std::size_t count = spot.node->children.size();
  if (count != 3)
    return complain(reader, spot, "must hold 3 of true or false, [x, y, z], not " + std::to_string(count));
  for (std::size_t i = 0; i < 3; ++i) {
    if (expect(reader, at(spot, i), JsonKind::boolean)) out[i] = spot.node->children[i].boolean;
  }
}

void read_turning(Reader& reader, const Spot& object, RigidSettings& out) {
  const Spot axis = at(object, "rotationAxis"), turns = at(object, "freeRotation");
  if (axis && turns) {
    return complain_at_key(reader, turns, "\"rotationAxis\" already says how the body turns; remove one or the other");
  }
  if (axis && read_vector(reader, object, "rotationAxis", kVector, out.axis)) {
    if (out.axis.x == 0 && out.axis.y == 0 && out.axis.z == 0)
      return complain(reader, axis, "must not be zero; write the direction to turn about, such as [0, 1, 0]");
    out.turning = Turning::about_axis;
  }
  bool free = true;
  read_bool(reader, object, "freeRotation", free);
  if (!free) out.turning = Turning::none;
}

void read_fixed(Reader& reader, const Spot& object, RigidSettings& out) {
  bool fixed = false;
  read_bool(reader, object, "fixed", fixed);
  if (!fixed) return;
  for (const char* key : {"freeTranslation", "freeRotation", "rotationAxis"}) {
    if (const Spot spot = at(object, key)) {
      complain_at_key(reader, spot, "\"fixed\" already lets nothing move; remove one or the other");
    }
  }
  out.free_translation = {false, false, false};
  out.turning = Turning::none;
}

// A start that the constraints forbid would be lost without a word.
void check_start(Reader& reader, const Spot& object, const Object& out) {
  constexpr const char* kRemedy = "; remove it, or use a boundary with a \"motion\" for a prescribed one";
  const Vec3 v = out.velocity, w = out.rigid.angular_velocity;
  const auto& free = out.rigid.free_translation;
  if ((v.x != 0 && !free[0]) || (v.y != 0 && !free[1]) || (v.z != 0 && !free[2])) {
    complain(reader, at(object, "velocity"), std::string("the body cannot move along this direction") + kRemedy);
  }
  if (w.x == 0 && w.y == 0 && w.z == 0) return;
  const bool wrong =
      out.rigid.turning == Turning::none || (out.rigid.turning == Turning::about_axis &&
                                             !(length(cross(normalized(w), normalized(out.rigid.axis))) < kParallel));
  if (wrong) {
    complain(reader, at(object, "angularVelocity"), std::string("the body cannot turn about this direction") + kRemedy);
  }
}

}  // namespace

void read_optional(Reader& reader, const Spot& object, std::string_view key, Range range, std::optional<double>& out) {
  const Spot spot = at(object, key);
  if (spot && expect_in(reader, spot, range)) out = spot.node->number;
}

bool is_positive_definite(const std::array<double, 6>& tensor) {
  const double scale = tensor[0] + tensor[1] + tensor[2];
  if (!(scale > 0) || !std::isfinite(scale)) return false;
  const double xx = tensor[0] / scale, yy = tensor[1] / scale, zz = tensor[2] / scale, xy = tensor[3] / scale,
               xz = tensor[4] / scale, yz = tensor[5] / scale;
  // Leading minors (Sylvester's criterion); the last one beyond what rounding makes of a flat body.
  return xx > 0 && xx * yy - xy * xy > 0 &&
         xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz) > 1e-18;
}

void read_rigid(Reader& reader, const Spot& object, Object& out) {
  RigidSettings& rigid = out.rigid;
  const Spot material = at(object, "material");
  if (!material) {
    complain(reader, object,
             "a rigid object needs a \"material\", the name of one of the scene's \"materials\" of type \"rigid\"");
  }
  if (material && expect(reader, material, JsonKind::string)) out.material = material.node->string;
  read_vector(reader, object, "velocity", kVector, out.velocity);
  read_vector(reader, object, "angularVelocity", kVector, rigid.angular_velocity);
  read_optional(reader, object, "friction", kFriction, out.friction);
  read_optional(reader, object, "restitution", kRestitution, out.restitution);
  read_optional(reader, object, "mass", kMass, rigid.mass);
  read_inertia(reader, object, rigid.inertia);
  read_number(reader, object, "gravityScale", kGravityScale, rigid.gravity_scale);
  read_vector(reader, object, "force", kForce, rigid.force);
  read_vector(reader, object, "torque", kForce, rigid.torque);
  read_free_translation(reader, object, rigid.free_translation);
  read_turning(reader, object, rigid);
  read_fixed(reader, object, rigid);
  check_start(reader, object, out);
}

}  // namespace sluice::io
