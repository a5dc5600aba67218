// The forces that are constant over a step: gravity and a body's own force and torque.
#ifndef SLUICE_GRAVITY_GLSL
#define SLUICE_GRAVITY_GLSL
#include "lib/buffers.glsl"
#include "lib/strict.glsl"

vec3 gravity_of() { return vec3(PARAMS.gravity_x, PARAMS.gravity_y, PARAMS.gravity_z); }
vec3 constant_force(RigidBody body) {
  return (body.inverse_mass.w * body.inertia_diagonal.w) * gravity_of() + body.force.xyz;
}

// The mean over the step of a velocity, or an angular momentum, that constant forces change by `kick` to `end`, where
// rows change it by `push`. What nothing presses moves by it (velocity Verlet), so that free flight is exact, whatever
// the steps. What is pressed as hard as it is pulled moves by the velocity at the end, which the rows have solved for;
// in between the one passes over into the other, so that a drop whose particles just touch falls as a whole. In paper
// mode all moves by the velocity at the end [PT23 app. B].
vec3 mean_over_step(vec3 end, vec3 kick, vec3 push) {
  float pull = square_root(length_squared(kick)), pressed = square_root(length_squared(push));
  if (PARAMS.paper_mode != 0 || !(pressed < pull)) return end;
  return end - (0.5 * (1.0 - divide(pressed, pull))) * kick;
}

#endif
