#version 460
#extension GL_GOOGLE_include_directive : require
// p^{k+1} = PJ(p^k) + beta s^{k-1}, projected; s^k = beta s^{k-1} + PJ(p^k) - p^k [PT23 alg. 2 l. 16-19].
#include "lib/gather.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SolveUpdateArgs args; };

void main() {
  uint i = thread_index();
  if (i >= CONTROL(args.control).particles) return;
  float p = uintBitsToFloat(GATHER4(position_texels, args.position, i).w);
  if (CONTROL(args.control).restore_best != 0) {
    args.position.at[i].w = floatBitsToUint(args.wall.at[i].w);
    return;
  }
  if (CONTROL(args.control).save_best != 0) args.wall.at[i].w = p;
  vec4 solve = GATHER_FLOATS(solve_texels, args.solve, i);
  float beta = CONTROL(args.control).beta;
  float next = solve.w;
  float direction = 0.0;
  if (beta >= 0.0) {
    float momentum = beta * solve.z;
    direction = flush(momentum + (next - p));
    next = larger(next + momentum, 0.0);
  }
  args.solve.at[i].z = direction;
  args.position.at[i].w = floatBitsToUint(flush(next));
}
