// Bodies of revolution. Facets of samples are inelastic: a ball of 10 h that rolled over its own would lose 15 % of its
// speed in a second. So their samples leave out the turn about the axis, a ball's all turns, and pressure must not
// turn the body about it either. Dropping that part of the torque on one side would break angular momentum; instead
// each pair of samples, of bodies A and B, acts on both at one point, where its force has no moment about the axis:
//   A a ball      at its centre: the line of the force goes through it, whatever its direction
//   A an axis     on a line of the normal's direction through the axis: the sample's, shifted at right angles to it
//   flat ends     where the normal is along the axis, no shift can help: the force's part about the axis is left out
//   both round    at A's centre or where its line meets its axis, without the part that would turn B about its own;
//                 of two balls, what is left is along the line between their centres
// Volume errors see the motion of both bodies at that point, along what is left of grad W: the adjoint of the forces.
// Friction, sliding and viscosity see the material, v + omega x arm; friction acts at one point for both, h/2 beyond
// the samples on the line of the normal through centre or axis: a ball rolls on its drawn radius.
#ifndef SLUICE_ROUND_GLSL
#define SLUICE_ROUND_GLSL
#include "lib/bodies.glsl"
#include "lib/samples.glsl"

// The arm of place `p` in the body's frame, from its centre; samples of round bodies turn less than the body.
vec3 round_arm(float kind, vec3 round_center, vec4 q, vec4 of_samples, vec3 p) {
  return kind == kRoundNone ? rotate(q, p) : rotate(q, round_center) + rotate(of_samples, p - round_center);
}
vec3 sample_arm(RigidBody body, RigidState state, vec3 p) {
  return round_arm(body.round_axis.w, body.round_center.xyz, state.orientation, state.sample_orientation, p);
}

// The samples' orientation after the body turned from `q` to `next` by about `angle`: without the part about the axis.
// The last turn takes back what rounding and that `about` leave between the axes of both.
vec4 turned_with(vec4 round_axis, vec4 q, vec4 next, vec4 of_samples, vec3 angle) {
  if (round_axis.w == kRoundNone) return next;
  if (round_axis.w == kRoundBall) return of_samples;
  vec3 a = rotate(q, round_axis.xyz);
  of_samples = turned(of_samples, angle - dot3(angle, a) * a);
  return turned(of_samples, cross3(rotate(of_samples, round_axis.xyz), rotate(next, round_axis.xyz)));
}
vec4 turned_samples(RigidBody body, RigidState state, vec4 next, vec3 angle) {
  return turned_with(body.round_axis, state.orientation, next, state.sample_orientation, angle);
}

// The turn that turned_with() gives the samples of a body with a round axis.
vec4 sample_turn(vec4 round_axis, vec4 q, vec4 next, vec4 of_samples, vec3 angle) {
  vec3 a = rotate(q, round_axis.xyz);
  vec3 left = angle - dot3(angle, a) * a;
  vec3 found = rotate(turned(of_samples, left), round_axis.xyz);
  return product(turn_by(cross3(found, rotate(next, round_axis.xyz))), turn_by(left));
}

// The displacement over the step, over dt, by which a boundary's sample comes closer: without the turn about its axis.
vec3 approach_velocity(uint body, uvec3 position) {
  vec4 axis = FIELD(boundary_body, body, round_axis);
  vec4 velocity = FIELD(boundary_body, body, velocity);
  if (axis.w == kRoundNone || velocity.w == 0.0) return chord_velocity(body, position);
  vec4 q = FIELD(boundary_body, body, orientation);
  vec3 spin = FIELD(boundary_body, body, spin).xyz;
  vec3 center = rotate(q, FIELD(boundary_body, body, round_center).xyz);
  vec3 arm = difference(position, FIELD(boundary_body, body, position).xyz);
  vec4 chord = FIELD(boundary_body, body, chord);
  vec3 approach = velocity.xyz + swing(spin, chord, center);
  if (axis.w == kRoundBall) return approach;
  vec4 turn = FIELD(boundary_body, body, sample_turn);
  vec3 p = arm - center;
  return approach + chord.z * cross3(turn.xyz, turn.w * p + cross3(turn.xyz, p));
}

// A body as a row's sample sees it.
struct Round {
  float kind;
  vec3 axis;
  vec3 center;  // from the sample
  float side;   // distance of its outermost samples from the axis
};
Round round_of(RigidStep step, uvec3 x) {
  return Round(step.round_axis.w, step.round_axis.xyz, step.round_center.xyz - difference(x, step.center.xyz),
               step.round_center.w);
}
Round gather_round(uint body, uvec3 x) {
  vec4 axis = FIELD(rigid_step, body, round_axis);
  if (axis.w == kRoundNone) return Round(kRoundNone, vec3(0.0), vec3(0.0), 0.0);
  vec4 center = FIELD(rigid_step, body, round_center);
  uvec3 origin = FIELD(rigid_step, body, center).xyz;
  return Round(axis.w, axis.xyz, center.xyz - difference(x, origin), center.w);
}
const Round kNotRound = Round(kRoundNone, vec3(0.0), vec3(0.0), 0.0);

// How a pair of samples acts on its two bodies.
struct Lever {
  vec3 at;      // from the row's sample
  float whole;  // what is left of a force f: g = whole f + along (f . t) t, then g - (g . s) s
  float along;
  vec3 t, s;
  vec3 rub;  // where friction acts, from the row's sample
};
vec3 left_of(Lever lever, vec3 f) {
  vec3 g = lever.whole * f + (lever.along * dot3(f, lever.t)) * lever.t;
  return g - dot3(g, lever.s) * lever.s;
}

// Directions that turn a body about its axis at `at`; nearly none on the axis.
vec3 about_axis(Round body, vec3 at) {
  vec3 w = cross3(body.axis, at - body.center);
  return rsqrt(length_squared(w) + 1e-4) * w;
}

// How far the normal is from the axis, as a share: 0 on flat ends, 1 from 18 degrees on.
float leaning(vec3 axis, vec3 n) {
  float along = dot3(axis, n);
  return clamped((0.98 - along * along) * 12.5, 0.0, 1.0);
}

// The part of `v` at right angles to the axis.
vec3 across(vec3 axis, vec3 v) { return v - dot3(axis, v) * axis; }

// From a sample to where the line along n meets the plane of n and the axis.
vec3 shift_to(Round body, vec3 n) {
  vec3 radial = -across(body.axis, body.center);
  vec3 m = across(body.axis, n);
  return divide(dot3(radial, m), larger(length_squared(m), 1e-4)) * m - radial;
}

// A place of friction, moved to the distance of a wheel's drawn side from its axis if the body's sample is one of its
// outermost: each on a radius of its own, uneven samples would make a cone of the wheel, and it would roll in a circle.
vec3 on_side(Round body, vec3 place, vec3 body_sample) {
  float outer = square_root(length_squared(across(body.axis, body_sample - body.center)));
  vec3 q = across(body.axis, place - body.center);
  float share = clamped((outer - body.side) * 6.0 + 2.0, 0.0, 1.0);
  return place + (share * ((body.side + 0.5) * rsqrt(larger(length_squared(q), 1e-4)) - 1.0)) * q;
}

// The lever of a row's sample, of body a, whose normal force has direction n, and a neighbour at -d from it, of body b.
Lever lever_of(Round a, Round b, vec3 n, vec3 d) {
  Lever lever = Lever(vec3(0.0), 1.0, 0.0, vec3(0.0), vec3(0.0), -0.5 * d);
  if (a.kind == kRoundNone && b.kind == kRoundNone) return lever;
  if (a.kind == kRoundBall) {
    lever.at = a.center;
    vec3 u = n;
    if (b.kind == kRoundBall) {
      vec3 between = a.center - b.center;
      float rr = length_squared(between);
      if (rr > 0.25) {
        lever.t = rsqrt(rr) * between;
        lever.whole = 0.0;
        lever.along = 1.0;
        u = lever.t;
      }
    } else if (b.kind == kRoundAxis) {
      lever.s = about_axis(b, lever.at);
      vec3 left = left_of(lever, n);
      u = rsqrt(larger(length_squared(left), 1e-12)) * left;
    }
    lever.rub = a.center - (square_root(length_squared(a.center)) + 0.5) * u;
  } else if (b.kind == kRoundBall) {
    lever.at = b.center;
    vec3 u = n;
    if (a.kind == kRoundAxis) {
      lever.s = about_axis(a, lever.at);
      vec3 left = left_of(lever, n);
      u = rsqrt(larger(length_squared(left), 1e-12)) * left;
    }
    lever.rub = b.center - (dot3(b.center, u) + 0.5) * u;
  } else if (b.kind == kRoundNone) {
    float share = leaning(a.axis, n);
    lever.at = share * shift_to(a, n);
    lever.s = about_axis(a, lever.at);
    lever.rub = lever.at + (0.5 - dot3(d, n)) * n;
    lever.rub += share * (on_side(a, lever.rub, vec3(0.0)) - lever.rub);
  } else if (a.kind == kRoundNone) {
    float share = leaning(b.axis, n);
    lever.at = share * shift_to(b, n);
    lever.s = about_axis(b, lever.at);
    lever.rub = lever.at - 0.5 * n;
    lever.rub += share * (on_side(b, lever.rub, -d) - lever.rub);
  } else if (leaning(a.axis, n) > 0.5) {
    // Where the line meets axis a; moved along it to where the line meets axis b, too, if they cross.
    vec3 at = shift_to(a, n);
    lever.rub = on_side(a, at - (0.5 * dot3(d, n)) * n, vec3(0.0));
    vec3 m = across(a.axis, n);
    at -= divide(dot3(across(a.axis, at - a.center), m), larger(length_squared(m), 1e-4)) * n;
    float miss = dot3(n, cross3(b.axis, at - b.center));
    float gain = dot3(n, cross3(b.axis, a.axis));
    at += clamped(-divide(miss * gain, gain * gain + 0.01), -0.75, 0.75) * a.axis;
    lever.at = at;
    lever.s = about_axis(b, at);
  } else {
    lever.at = leaning(b.axis, n) * shift_to(b, n);
    lever.t = about_axis(a, lever.at);
    lever.along = -1.0;
    lever.s = about_axis(b, lever.at);
    lever.s -= dot3(lever.s, lever.t) * lever.t;
    lever.s *= rsqrt(larger(length_squared(lever.s), 0.01));  // nearly one direction is taken away once
    lever.rub = lever.at - 0.5 * n;
  }
  return lever;
}

// Fluid knows no moments: its pressure acts on both at the particle, along the line to a ball's centre, or without the
// part that would turn the body about its axis. What is left of a gradient there; `body` as the particle sees it.
vec3 left_at_particle(Round body, vec3 f) {
  if (body.kind == kRoundNone) return f;
  if (body.kind == kRoundBall) {
    float rr = length_squared(body.center);
    return rr > 0.25 ? divide(dot3(f, body.center), rr) * body.center : f;
  }
  vec3 s = about_axis(body, vec3(0.0));
  return f - dot3(f, s) * s;
}

#endif
