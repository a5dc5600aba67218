// The domain's box. A moving thing beyond one of its sides that neither its velocity nor its acceleration takes back
// has left for good; a ball thrown up comes back, however high it flies.
#ifndef SLUICE_DOMAIN_GLSL
#define SLUICE_DOMAIN_GLSL
#include "lib/buffers.glsl"
#include "lib/fixed_point.glsl"
#include "lib/gravity.glsl"

struct Box {
  vec3 low, high;  // h
};
Box domain_of() {
  return Box(vec3(PARAMS.domain_low_x, PARAMS.domain_low_y, PARAMS.domain_low_z),
             vec3(PARAMS.domain_high_x, PARAMS.domain_high_y, PARAMS.domain_high_z));
}
Box step_domain_of() {
  return Box(vec3(PARAMS.step_low_x, PARAMS.step_low_y, PARAMS.step_low_z),
             vec3(PARAMS.step_high_x, PARAMS.step_high_y, PARAMS.step_high_z));
}

// A ball around x (h) that moves by v and, in free flight, is accelerated by a (h, T0).
struct Flight {
  vec3 x, v, a;
  float radius;
};

bool beyond(float x, float v, float a, float low, float high) {
  return (x > high && v >= 0.0 && a >= 0.0) || (x < low && v <= 0.0 && a <= 0.0);
}
bool left_for_good(Box box, Flight f) {
  return beyond(f.x.x, f.v.x, f.a.x, box.low.x - f.radius, box.high.x + f.radius) ||
         beyond(f.x.y, f.v.y, f.a.y, box.low.y - f.radius, box.high.y + f.radius) ||
         beyond(f.x.z, f.v.z, f.a.z, box.low.z - f.radius, box.high.z + f.radius);
}

bool stays_beyond(float x, float v, float a, float low, float high) {
  float nearest_high = x + smaller(v, 0.0) + smaller(a, 0.0), nearest_low = x + larger(v, 0.0) + larger(a, 0.0);
  return nearest_high > high || nearest_low < low;
}
// Whether it is outside of the domain for the longest step, T0, or on its way out.
bool is_outsider(Flight f) {
  Box box = domain_of(), step_box = step_domain_of();
  return stays_beyond(f.x.x, f.v.x, f.a.x, box.low.x - f.radius, box.high.x + f.radius) ||
         stays_beyond(f.x.y, f.v.y, f.a.y, box.low.y - f.radius, box.high.y + f.radius) ||
         stays_beyond(f.x.z, f.v.z, f.a.z, box.low.z - f.radius, box.high.z + f.radius) || left_for_good(step_box, f);
}
// Outsiders have nothing to hit. They limit the step only so that they stay under kMaxMove: by a speed of 1 / 64 of
// theirs, with which they move 26 h a step if the CFL number is 0.4.
FLOAT_CONSTANT kOutsiderShare = 0.015625f;

Flight particle_flight(uvec4 position, uvec4 low, vec3 velocity) {
  return Flight(position_in_h(position.xyz, low.w), velocity, gravity_of(), 0.0);
}
// Along the axes on which the body is free.
Flight body_flight(RigidState state, RigidBody body) {
  return Flight(position_in_h(state.position.xyz, state.low.w), state.velocity.xyz,
                body.inverse_mass.xyz * constant_force(body), body.inertia_mixed.w);
}
// What the scene holds in its place cannot leave.
bool body_left(RigidState state, RigidBody body) {
  bool movable = body.inverse_mass.x + body.inverse_mass.y + body.inverse_mass.z > 0.0;
  bool left = left_for_good(domain_of(), body_flight(state, body));
  return movable && state.velocity.w == 0.0 && left;
}

#endif
