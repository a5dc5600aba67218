#version 460
#extension GL_GOOGLE_include_directive : require
// Poses as three rows of a matrix that takes body coordinates (m) to metres from the drawing's origin: of rigid bodies
// from their centres of mass, then of boundaries from their positions.
#define SLUICE_ARGS DrawBodiesArgs
#include "lib/drawn.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint b = thread_index();
  uint rigid = PARAMS.rigid;
  if (b >= rigid + PARAMS.bodies) return;
  uvec4 position, low;
  vec4 q;
  if (b < rigid) {
    RigidState state = rigid_state_buffer.at[b];
    position = state.position;
    low = state.low;
    q = state.orientation;
  } else {
    BodyState body = boundary_body_buffer.at[b - rigid];
    position = body.position;
    low = body.low;
    q = body.orientation;
  }
  vec3 at = from_origin(args.units, position.xyz, low.w);
  vec3 x = rotate(q, vec3(1.0, 0.0, 0.0));
  vec3 y = rotate(q, vec3(0.0, 1.0, 0.0));
  vec3 z = rotate(q, vec3(0.0, 0.0, 1.0));
  args.transforms.at[3 * b] = vec4(x.x, y.x, z.x, at.x);
  args.transforms.at[3 * b + 1] = vec4(x.y, y.y, z.y, at.y);
  args.transforms.at[3 * b + 2] = vec4(x.z, y.z, z.z, at.z);
}
