#version 460
#extension GL_GOOGLE_include_directive : require
// Strays change places with the last particles that stay, so that all that stay lie in front. Strays keep their state
// behind them, which nothing changes any more.
#include "lib/buffers.glsl"
#include "lib/workgroup.glsl"

void swap_records(uvec4_ref records, uint a, uint b) {
  uvec4 record = records.at[a];
  records.at[a] = records.at[b];
  records.at[b] = record;
}

void main() {
  uint k = thread_index();
  if (k >= CONTROL.gaps) return;
  uint gap = sort_key_buffer.at[k], filler = sort_value_buffer.at[k];
  swap_records(stored_position_buffer, gap, filler);
  swap_records(stored_low_buffer, gap, filler);
  swap_records(stored_velocity_buffer, gap, filler);
}
