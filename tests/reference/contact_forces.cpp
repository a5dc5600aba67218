#include "tests/reference/contact_forces.h"

#include <map>
#include <set>
#include <tuple>

namespace sluice::reference {
namespace {

using Key = std::tuple<std::uint32_t, bool, std::uint32_t>;

struct Sum {
  ContactForce contact;
  Vec3 place;
  double weight = 0;
  std::set<std::size_t> rows;
};

// One row's part of a pair.
struct Part {
  Vec3 pressure, friction;                // on the row's body
  Vec3 tilt;                              // of the pressure, taken from it
  std::vector<std::pair<Vec3, Vec3>> at;  // where its neighbours touch, and what they press
};

}  // namespace

std::vector<ContactForce> contact_forces(const RigidSystem& s, const Multipliers& x,
                                         const std::vector<std::uint32_t>& boundary_body,
                                         const std::vector<std::uint32_t>& carried) {
  std::map<Key, Sum> sums;
  const std::size_t own_bodies = s.bodies.size() - carried.size();
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    if (x.rigid_pressure[r] == 0 && length(x.friction[r]) == 0) continue;
    const std::uint32_t own = s.samples.body[r];
    const double v0 = s.samples.rest_volume[r];
    std::map<std::pair<bool, std::uint32_t>, Part> parts;
    for (const Pairs* pairs : {&s.rigid_rigid, &s.rigid_boundary}) {
      const bool boundary = pairs == &s.rigid_boundary;
      for (auto k = pairs->rows.start[r]; k < pairs->rows.start[r + 1]; ++k) {
        const auto j = pairs->rows.index[k];
        if (pairs->weight[k] == 0) continue;  // row carriers, which nothing sees, and what is off the row's face
        Part& part = parts[{boundary, boundary ? boundary_body[j] : s.samples.body[j]}];
        const Vec3 push = -v0 * v0 * x.rigid_pressure[r] * pairs->push[k];
        part.pressure = part.pressure + push;
        part.tilt = part.tilt + v0 * v0 * x.rigid_pressure[r] * s.mirror_volume[r] * pairs->kernel[k] * face_tilt(s, r);
        part.friction = part.friction + s.mirror_volume[r] * pairs->kernel[k] * x.friction[r];
        part.at.push_back({s.position[r] + pairs->rub[k], push});
      }
    }
    for (const auto& [partner, part] : parts) {
      const bool by_carrier = own >= own_bodies;  // which stands for its boundary: the other is the first
      const bool boundary = partner.first || by_carrier;
      const std::uint32_t other = partner.second;
      const bool first = !by_carrier && (boundary || own < other);
      const double sign = first ? 1 : -1;
      const std::uint32_t second = by_carrier ? carried[own - own_bodies] : first ? other : own;
      Sum& sum = sums[Key{first ? own : other, boundary, second}];
      sum.contact.a = first ? own : other;
      sum.contact.b = second;
      sum.contact.boundary = boundary;
      sum.contact.pressure = sum.contact.pressure + sign * (part.pressure + part.tilt);
      sum.contact.friction = sum.contact.friction + sign * part.friction;
      sum.rows.insert(r);
      // The row's place by its neighbours' parts along their sum, the pair's by those of its rows.
      const double whole = length(part.pressure + part.tilt);
      Vec3 place;
      double weight = 0;
      for (const auto& [at, push] : part.at) {
        const double share = std::max(0.0, dot(push, part.pressure));
        place = place + share * at;
        weight += share;
      }
      if (weight == 0) continue;
      sum.place = sum.place + whole / weight * place;
      sum.weight += whole;
    }
  }
  std::vector<ContactForce> contacts;
  for (auto& [key, sum] : sums) {
    if (sum.weight > 0) sum.contact.point = 1 / sum.weight * sum.place;
    sum.contact.samples = static_cast<std::uint32_t>(sum.rows.size());
    contacts.push_back(sum.contact);
  }
  return contacts;
}

}  // namespace sluice::reference
