#version 460
#extension GL_GOOGLE_include_directive : require
// p^{k+1} = PJ(p^k) + beta s^{k-1}, projected; s^k = beta s^{k-1} + PJ(p^k) - p^k [PT23 alg. 2 l. 16-19;
// the projection of the sum is not printed].
#include "lib/buffers.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.particles) return;
  float p = uintBitsToFloat(position_of(i).w);
  if (CONTROL.restore_best != 0) {
    position_buffer.at[i].w = floatBitsToUint(wall_buffer.at[i].w);
    return;
  }
  if (CONTROL.save_best != 0) wall_buffer.at[i].w = p;
  vec4 solve = solve_of(i);
  float beta = CONTROL.beta;
  float next = solve.w;
  float direction = 0.0;
  if (beta >= 0.0) {
    float momentum = beta * solve.z;
    direction = flush(momentum + (next - p));
    next = larger(next + momentum, 0.0);
  }
  solve_buffer.at[i].z = direction;
  position_buffer.at[i].w = floatBitsToUint(flush(next));
}
