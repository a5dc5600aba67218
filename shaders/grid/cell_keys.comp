#version 460
#extension GL_GOOGLE_include_directive : require
// The sort key of each moving particle: its cell. Its index goes along.
#define SLUICE_ARGS KeysArgs
#include "lib/buffers.glsl"
#include "lib/grid.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.particles) return;
  sort_key_buffer.at[args.first + i] = cell_key(stored_position_buffer.at[i].xyz, PARAMS.grid);
  sort_value_buffer.at[args.first + i] = i;
}
