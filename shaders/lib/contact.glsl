// The solid neighbours of a sample, one by one, and means over them by their shares in its normal force.
#ifndef SLUICE_CONTACT_GLSL
#define SLUICE_CONTACT_GLSL
#include "lib/kernel.glsl"
#include "lib/neighbors.glsl"
#include "lib/samples.glsl"

struct Contact {
  bool rigid;    // else of a boundary
  uint body;     // of its kind
  bool is_seen;  // not a carrier
  float weight;  // contact_weight
  vec3 d;        // from it to the sample, h
};
Contact contact_at(Row row, uvec3 x, uint k) {
  uint j = row_entry(row, k);
  bool rigid = k < row.rigid_end;
  uvec4 y = rigid ? rigid_sample_of(j) : boundary_of(j);
  float weight = contact_weight(rigid ? weight_of(y.w) : sample_weight(y.w));
  return Contact(rigid, rigid ? body_of(y.w) : sample_body(y.w), !rigid || is_seen_sample(y.w), weight,
                 difference(x, y.xyz));
}

// A mean of coefficients by shares. It lies between the smallest and the largest, so that with one partner it is that
// pair's to the bit.
struct ShareMean {
  float least, most, shares, sum;
};
const ShareMean kNoShares = ShareMean(0.0, 0.0, 0.0, 0.0);
void add_share(inout ShareMean mean, float share, float value) {
  if (!(share > 0.0)) return;
  mean.least = mean.shares > 0.0 ? smaller(mean.least, value) : value;
  mean.most = mean.shares > 0.0 ? larger(mean.most, value) : value;
  mean.shares += share;
  mean.sum += share * value;
}
float mean_or(ShareMean mean, float without) {
  return mean.shares > 1e-12 ? clamped(divide(mean.sum, mean.shares), mean.least, mean.most) : without;
}

#endif
