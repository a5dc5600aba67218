#include "engine/contacts.h"

#include <algorithm>
#include <tuple>

#include "engine/frame.h"

namespace sluice {
namespace {

// The most neighbours of a row, among samples and among boundaries.
constexpr std::uint64_t kMostPartners = (1u << gpu::kRigidCountBits) + (1u << gpu::kBoundaryCountBits);

Vec3 to_vec(const gpu::vec4& v) { return {v.x, v.y, v.z}; }

// Bodies and partners count alike: boundaries behind rigid bodies.
struct PairOf {
  std::uint32_t first, second;
};
PairOf pair_of(const gpu::ContactShare& share) {
  return {std::min(share.body, share.partner), std::max(share.body, share.partner)};
}

// Row carriers stand for their boundary: what a row puts on them, the opposite of what it puts on the body it pushes.
// `point` is from the body in `state_of`.
struct Share {
  gpu::ContactShare record;
  std::uint32_t state_of;
};
Share as_seen(const gpu::ContactShare& share, const RigidSizes& sizes) {
  if (share.body < sizes.bodies) return {share, share.body};
  const auto minus = [](const gpu::vec4& v) { return gpu::vec4{-v.x, -v.y, -v.z, v.w}; };
  gpu::ContactShare seen = share;
  seen.body = share.partner;
  seen.partner = gpu::kBoundaryPartner + sizes.carriers[share.body - sizes.bodies].boundary;
  seen.pressure = minus(share.pressure);
  seen.friction = minus(share.friction);
  return {seen, share.body};
}

// One pair while its shares are added.
struct Sum {
  Vec3 pressure, friction;  // on the first, N
  Vec3 place;               // m, times weights
  double weight = 0;        // N, of shares that push
  Vec3 middle;              // m, of all shares, for a pair that does not push
  std::uint32_t samples = 0;
};

Contact to_contact(const Sum& sum, PairOf pair) {
  Contact contact;
  contact.a = pair.first;
  contact.boundary = pair.second >= gpu::kBoundaryPartner;
  contact.b = contact.boundary ? pair.second - gpu::kBoundaryPartner : pair.second;
  contact.normal_force = length(sum.pressure);
  if (contact.normal_force > 0) contact.normal = 1 / contact.normal_force * sum.pressure;
  contact.friction = sum.friction;
  contact.point = sum.weight > 0 ? 1 / sum.weight * sum.place : 1.0 / sum.samples * sum.middle;
  contact.samples = sum.samples;
  return contact;
}

}  // namespace

void need_contacts(const gpu::Control& control, bool failed) {
  const std::string step = "read_contacts(): step " + std::to_string(control.step + 1);
  const std::string gone = ", and the contacts of the last one are overwritten";
  if (failed || control.phase == gpu::kPhaseFailed) throw Error(step + " has failed" + gone);
  if (control.phase == gpu::kPhaseSolve || control.phase == gpu::kPhaseEnd || control.phase == gpu::kPhaseCapacity)
    throw Error(step + " is under way" + gone + "; record more ticks until it is complete");
}

// Runs again where the records found too little room.
std::vector<gpu::ContactShare> read_shares(const State& s, const vulkan::Pipelines& pipelines, VkDescriptorSet texels,
                                           const gpu::Control& control, ContactBuffers& buffers) {
  need_index(control.contact_chunks, s.sizes.rigid.chunks + 1, "a count of chunks,");
  const std::uint32_t groups = (control.contact_chunks * gpu::kChunk + gpu::kGroup - 1) / gpu::kGroup;
  if (groups == 0) return {};
  if (buffers.count.count == 0) buffers.count = vulkan::Buffer<gpu::uint>(s.device, 1);
  std::uint64_t room = std::uint64_t{control.contact_chunks} * gpu::kChunk;  // a partner a sample is enough, mostly
  do {
    if (buffers.shares.count < room) {
      buffers.shares = {};
      buffers.shares = vulkan::Buffer<gpu::ContactShare>(s.device, room);
    }
    vulkan::clear(s.device, {&buffers.count.raw});
    vulkan::run_once(s.device, [&](VkCommandBuffer commands) {
      vulkan::Recorder recorder(s.device, commands, pipelines, nullptr, texels);
      PassRecorder run{recorder, s.control.raw.handle(), s.table.ptr()};
      recorder.full_barrier();
      record_table(recorder, s);
      run.run_groups<Pass::report_contacts>(
          groups, {buffers.shares.ptr(), buffers.count.ptr(), static_cast<std::uint32_t>(buffers.shares.count)});
      recorder.full_barrier();
    });
    room = vulkan::download(s.device, buffers.count, 1)[0];
    need_index(room, s.sizes.rigid.samples * kMostPartners + 1, "a count of contacts,");
  } while (room > buffers.shares.count);
  return vulkan::download(s.device, buffers.shares, room);
}

std::vector<Contact> contacts_of(const State& s, const gpu::Control& control,
                                 const std::vector<gpu::ContactShare>& records) {
  const std::uint64_t bodies = s.sizes.rigid.bodies, held = bodies + s.sizes.rigid.carriers.size();
  std::vector<Share> shares;
  for (const gpu::ContactShare& share : records) {
    const bool boundary = share.partner >= gpu::kBoundaryPartner;
    need_index(share.row, s.sizes.rigid.samples, "sample");
    need_index(share.body, held, "rigid body");
    need_index(boundary ? share.partner - gpu::kBoundaryPartner : share.partner, boundary ? s.sizes.bodies : bodies,
               boundary ? "boundary" : "rigid body");
    shares.push_back(as_seen(share, s.sizes.rigid));
  }
  std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
    const auto key = [](const Share& share) {
      const PairOf pair = pair_of(share.record);
      return std::tuple(pair.first, pair.second, share.record.row);
    };
    return key(a) < key(b);
  });

  const double tau = control.last_tau, force_unit = s.units.force() / (tau * tau);
  const auto states = vulkan::download(s.device, s.rigid_state, held);
  std::vector<Contact> contacts;
  for (std::size_t k = 0; k < shares.size();) {
    const PairOf pair = pair_of(shares[k].record);
    Sum sum;
    for (; k < shares.size(); ++k) {
      const gpu::ContactShare& share = shares[k].record;
      const PairOf next = pair_of(share);
      if (next.first != pair.first || next.second != pair.second) break;
      const double sign = share.body == pair.first ? force_unit : -force_unit;
      const gpu::RigidState& state = states[shares[k].state_of];
      const Vec3 place = to_metres(s.units, state.position, state.low) + s.units.length * to_vec(share.point);
      const double weight = force_unit * length(to_vec(share.pressure));
      sum.pressure = sum.pressure + sign * to_vec(share.pressure);
      sum.friction = sum.friction + sign * to_vec(share.friction);
      sum.place = sum.place + weight * place;
      sum.weight += weight;
      sum.middle = sum.middle + place;
      ++sum.samples;
    }
    contacts.push_back(to_contact(sum, pair));
  }
  return contacts;
}

}  // namespace sluice
