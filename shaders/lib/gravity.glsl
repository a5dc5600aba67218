// The forces that are constant over a step: gravity and a body's own force and torque.
#ifndef SLUICE_GRAVITY_GLSL
#define SLUICE_GRAVITY_GLSL
#include "lib/gather.glsl"

vec3 gravity_of(Params_ref params) {
  return vec3(PARAMS(params).gravity_x, PARAMS(params).gravity_y, PARAMS(params).gravity_z);
}
vec3 constant_force(Params_ref params, RigidBody body) {
  return (body.inverse_mass.w * body.inertia_diagonal.w) * gravity_of(params) + body.force.xyz;
}

// The mean over the step of a velocity, or an angular momentum, that constant forces change by `kick` to `end`. What
// nothing presses moves by it (velocity Verlet), so that free flight is exact, whatever the steps. What is pressed moves by
// the velocity at the end, which the rows have solved for; so does everything in paper mode [PT23 app. B].
vec3 mean_over_step(Params_ref params, vec3 end, vec3 kick, bool pressed) {
  return pressed || PARAMS(params).paper_mode != 0 ? end : end - 0.5 * kick;
}

#endif
