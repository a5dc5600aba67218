// How fast a body turns that has a given angular momentum.
#ifndef SLUICE_SPIN_GLSL
#define SLUICE_SPIN_GLSL
#include "lib/bodies.glsl"
#include "lib/samples.glsl"

// Of a body with angular momentum L at orientation q, as far as it may turn.
vec3 spin_at(RigidBody body, vec4 q, vec3 angular_momentum) {
  vec4 back = vec4(-q.xyz, q.w);
  if (body.inverse_mixed.w == kTurnNone) return vec3(0.0);
  if (body.inverse_mixed.w == kTurnAxis) {
    vec3 a = body.axis.xyz;
    float moment = dot3(a, rotate(q, times(body.inertia_diagonal, body.inertia_mixed, rotate(back, a))));
    return divide(dot3(a, angular_momentum), moment) * a;
  }
  return flush(rotate(q, times(body.inverse_diagonal, body.inverse_mixed, rotate(back, angular_momentum))));
}

// What a body that turns only about its axis, or not at all, keeps of an angular momentum.
vec3 free_part(RigidBody body, vec3 angular_momentum) {
  if (body.inverse_mixed.w == kTurnNone) return vec3(0.0);
  if (body.inverse_mixed.w == kTurnAxis) return dot3(body.axis.xyz, angular_momentum) * body.axis.xyz;
  return angular_momentum;
}

#endif
