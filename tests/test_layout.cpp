// The shared structs: what the compiled shaders say about their offsets and strides is what C++ has.
#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/embedded_shaders.h"
#include "shaders/shared/args.h"
#include "shaders/shared/buffers.h"

using namespace sluice;
using namespace sluice::gpu;

namespace {

using Offsets = std::map<std::string, std::uint32_t>;

struct Layouts {
  std::map<std::string, std::vector<Offsets>> structs;           // by name; a module may hold several of a name
  std::map<std::string, std::set<std::uint32_t>> array_strides;  // of runtime arrays, by the element's name
};

std::string text(const std::uint32_t* words) { return reinterpret_cast<const char*>(words); }

// Names, member names, offsets and strides of a module; numbers of opcodes as in the SPIR-V specification.
void read_layouts(std::span<const std::uint32_t> code, Layouts& layouts) {
  enum : std::uint32_t {
    kName = 5,
    kMemberName = 6,
    kTypeRuntimeArray = 29,
    kDecorate = 71,
    kMemberDecorate = 72,
    kArrayStride = 6,
    kOffset = 35
  };
  std::map<std::uint32_t, std::string> names;
  std::map<std::uint32_t, std::map<std::uint32_t, std::string>> members;
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> offsets;
  std::map<std::uint32_t, std::uint32_t> strides;
  for (std::size_t i = 5; i < code.size(); i += code[i] >> 16) {
    const std::uint32_t* w = &code[i];
    switch (code[i] & 0xffff) {
      case kName:
        names[w[1]] = text(w + 2);
        break;
      case kMemberName:
        members[w[1]][w[2]] = text(w + 3);
        break;
      case kDecorate:
        if (w[2] == kArrayStride) strides[w[1]] = w[3];
        break;
      case kMemberDecorate:
        if (w[3] == kOffset) offsets[w[1]][w[2]] = w[4];
        break;
      case kTypeRuntimeArray:
        layouts.array_strides[names[w[2]]].insert(strides[w[1]]);
        break;
      default:
        break;
    }
  }
  for (const auto& [id, of_members] : offsets) {
    Offsets by_name;
    for (const auto& [member, offset] : of_members) by_name[members[id][member]] = offset;
    layouts.structs[names[id]].push_back(by_name);
  }
}

// Structs of this name are in some shader, and each has just these members at just these offsets.
void check_struct(const Layouts& layouts, const std::string& name, const Offsets& expected) {
  CAPTURE(name);
  const auto found = layouts.structs.find(name);
  REQUIRE(found != layouts.structs.end());
  for (const Offsets& offsets : found->second) CHECK((offsets == expected));
}

void check_stride(const Layouts& layouts, const std::string& name, std::size_t size) {
  CAPTURE(name);
  const auto found = layouts.array_strides.find(name);
  REQUIRE(found != layouts.array_strides.end());
  CHECK((found->second == std::set<std::uint32_t>{static_cast<std::uint32_t>(size)}));
}

#define AT(Type, member) \
  { #member, static_cast < std::uint32_t>(offsetof(Type, member)) }

}  // namespace

TEST_CASE("records in device memory have the same offsets and sizes in shaders and in C++") {
  for (const auto* shaders : {&strict_shaders(), &fast_shaders()}) {
    Layouts layouts;
    for (const EmbeddedShader& shader : *shaders) read_layouts(shader.code, layouts);
    check_struct(layouts, "Material",
                 {AT(Material, mass), AT(Material, inverse_mass), AT(Material, viscosity), AT(Material, padding)});
    check_struct(layouts, "Grid", {AT(Grid, mask_x), AT(Grid, mask_y), AT(Grid, mask_z), AT(Grid, cells)});
    check_struct(layouts, "Params",
                 {AT(Params, gravity_x),
                  AT(Params, gravity_y),
                  AT(Params, gravity_z),
                  AT(Params, gravity_length),
                  AT(Params, cfl),
                  AT(Params, viscous_limit),
                  AT(Params, boundary_speed),
                  AT(Params, frame_length),
                  AT(Params, tolerance_scale),
                  AT(Params, overlap_speed),
                  AT(Params, relaxation),
                  AT(Params, relaxation_rigid),
                  AT(Params, gamma),
                  AT(Params, warm_start_fluid),
                  AT(Params, warm_start_rigid),
                  AT(Params, paper_mode),
                  AT(Params, nncg),
                  AT(Params, min_iterations),
                  AT(Params, min_iterations_contact),
                  AT(Params, max_iterations),
                  AT(Params, mass_splitting),
                  AT(Params, friction_target),
                  AT(Params, staggered_friction),
                  AT(Params, sample_weights),
                  AT(Params, contact_weights),
                  AT(Params, midpoint_slip),
                  AT(Params, domain_low_x),
                  AT(Params, domain_low_y),
                  AT(Params, domain_low_z),
                  AT(Params, domain_high_x),
                  AT(Params, domain_high_y),
                  AT(Params, domain_high_z),
                  AT(Params, step_low_x),
                  AT(Params, step_low_y),
                  AT(Params, step_low_z),
                  AT(Params, step_high_x),
                  AT(Params, step_high_y),
                  AT(Params, step_high_z),
                  AT(Params, load_sharing),
                  AT(Params, contact_time_squared),
                  AT(Params, own_friction),
                  AT(Params, round),
                  AT(Params, fixed_rows),
                  AT(Params, carriers),
                  AT(Params, restitution),
                  AT(Params, padding0),
                  AT(Params, padding1),
                  AT(Params, padding2),
                  AT(Params, last_frame),
                  AT(Params, boundary_moves),
                  AT(Params, bodies),
                  AT(Params, rigid),
                  AT(Params, parts),
                  AT(Params, sample_row),
                  AT(Params, sample_sort_digits),
                  AT(Params, row_capacity),
                  AT(Params, page_shift),
                  AT(Params, viscous),
                  AT(Params, sort_digits),
                  AT(Params, boundary_sort_digits),
                  AT(Params, grid),
                  AT(Params, boundary_grid),
                  AT(Params, sample_grid),
                  AT(Params, materials),
                  AT(Params, pair_friction),
                  AT(Params, pair_restitution)});
    check_struct(layouts, "Control",
                 {AT(Control, phase),
                  AT(Control, failure),
                  AT(Control, step),
                  AT(Control, frame),
                  AT(Control, particles),
                  AT(Control, boundary_particles),
                  AT(Control, samples),
                  AT(Control, contact_chunks),
                  AT(Control, coupled),
                  AT(Control, contacts),
                  AT(Control, boundary_dirty),
                  AT(Control, samples_moved),
                  AT(Control, edits),
                  AT(Control, spill_capacity),
                  AT(Control, spill_needed),
                  AT(Control, tau),
                  AT(Control, last_tau),
                  AT(Control, frame_time),
                  AT(Control, frame_time_low),
                  AT(Control, limit),
                  AT(Control, tau_limit),
                  AT(Control, iteration),
                  AT(Control, tolerance),
                  AT(Control, residual),
                  AT(Control, residual_friction),
                  AT(Control, norm),
                  AT(Control, beta),
                  AT(Control, best_residual),
                  AT(Control, best_iteration),
                  AT(Control, save_best),
                  AT(Control, restore_best),
                  AT(Control, active_rows),
                  AT(Control, max_speed),
                  AT(Control, crowded),
                  AT(Control, gaps),
                  AT(Control, strays),
                  AT(Control, lost_particles),
                  AT(Control, lost_bodies),
                  AT(Control, lost_mass),
                  AT(Control, lost_weight),
                  AT(Control, lost_momentum_x),
                  AT(Control, lost_momentum_y),
                  AT(Control, lost_momentum_z),
                  AT(Control, last_limit),
                  AT(Control, dispatches)});
    check_struct(layouts, "Status",
                 {AT(Status, step),
                  AT(Status, frame),
                  AT(Status, phase),
                  AT(Status, failure),
                  AT(Status, frame_time),
                  AT(Status, tau),
                  AT(Status, tau_limit),
                  AT(Status, limit),
                  AT(Status, iterations),
                  AT(Status, active_rows),
                  AT(Status, contacts),
                  AT(Status, residual),
                  AT(Status, residual_friction),
                  AT(Status, tolerance),
                  AT(Status, density_error_avg),
                  AT(Status, density_error_max),
                  AT(Status, kinetic_energy),
                  AT(Status, max_speed),
                  AT(Status, mass_moment_x),
                  AT(Status, mass_moment_y),
                  AT(Status, mass_moment_z),
                  AT(Status, momentum_x),
                  AT(Status, momentum_y),
                  AT(Status, momentum_z),
                  AT(Status, wall_force_x),
                  AT(Status, wall_force_y),
                  AT(Status, wall_force_z),
                  AT(Status, lost_particles),
                  AT(Status, lost_bodies),
                  AT(Status, lost_mass),
                  AT(Status, lost_weight),
                  AT(Status, lost_momentum_x),
                  AT(Status, lost_momentum_y),
                  AT(Status, lost_momentum_z)});
    check_struct(layouts, "BodyState",
                 {AT(BodyState, position), AT(BodyState, low), AT(BodyState, orientation), AT(BodyState, velocity),
                  AT(BodyState, spin), AT(BodyState, sample_orientation), AT(BodyState, round_axis),
                  AT(BodyState, round_center), AT(BodyState, chord), AT(BodyState, sample_turn)});
    check_struct(layouts, "Edit",
                 {AT(Edit, kind), AT(Edit, body), AT(Edit, step), AT(Edit, number), AT(Edit, position), AT(Edit, low),
                  AT(Edit, a), AT(Edit, b)});
    check_struct(layouts, "DrawUnits",
                 {AT(DrawUnits, origin), AT(DrawUnits, origin_wraps), AT(DrawUnits, spacing), AT(DrawUnits, velocity),
                  AT(DrawUnits, density), AT(DrawUnits, pressure), AT(DrawUnits, force), AT(DrawUnits, time),
                  AT(DrawUnits, frame_interval), AT(DrawUnits, padding)});
    check_struct(layouts, "DrawnHeader",
                 {AT(DrawnHeader, points), AT(DrawnHeader, quads), AT(DrawnHeader, step), AT(DrawnHeader, frame),
                  AT(DrawnHeader, frame_time), AT(DrawnHeader, time), AT(DrawnHeader, particles),
                  AT(DrawnHeader, samples), AT(DrawnHeader, rigid_bodies), AT(DrawnHeader, boundary_bodies)});
    check_struct(
        layouts, "SolvePartial",
        {AT(SolvePartial, residual), AT(SolvePartial, norm), AT(SolvePartial, active_rows), AT(SolvePartial, bad)});
    check_struct(layouts, "RigidState",
                 {AT(RigidState, position), AT(RigidState, low), AT(RigidState, orientation), AT(RigidState, velocity),
                  AT(RigidState, spin), AT(RigidState, angular_momentum), AT(RigidState, sample_orientation)});
    check_struct(layouts, "RigidBody",
                 {AT(RigidBody, inverse_mass), AT(RigidBody, inertia_diagonal), AT(RigidBody, inertia_mixed),
                  AT(RigidBody, inverse_diagonal), AT(RigidBody, inverse_mixed), AT(RigidBody, force),
                  AT(RigidBody, torque), AT(RigidBody, axis), AT(RigidBody, round_axis), AT(RigidBody, round_center),
                  AT(RigidBody, first_part), AT(RigidBody, parts), AT(RigidBody, first_chunk), AT(RigidBody, chunks),
                  AT(RigidBody, boundary), AT(RigidBody, padding0), AT(RigidBody, padding1), AT(RigidBody, padding2)});
    check_struct(layouts, "RigidStep",
                 {AT(RigidStep, center), AT(RigidStep, inverse_mass), AT(RigidStep, inverse_diagonal),
                  AT(RigidStep, inverse_mixed), AT(RigidStep, velocity), AT(RigidStep, spin), AT(RigidStep, shift),
                  AT(RigidStep, turn), AT(RigidStep, round_center), AT(RigidStep, round_axis)});
    check_struct(layouts, "RigidSum",
                 {AT(RigidSum, contact_force), AT(RigidSum, contact_torque), AT(RigidSum, fluid_force),
                  AT(RigidSum, fluid_torque)});
    check_struct(layouts, "Chunk",
                 {AT(Chunk, body), AT(Chunk, first), AT(Chunk, count), AT(Chunk, body_first), AT(Chunk, body_count),
                  AT(Chunk, near), AT(Chunk, contact), AT(Chunk, part), AT(Chunk, contacts_before), AT(Chunk, kind)});
    check_struct(
        layouts, "SampleRow",
        {AT(SampleRow, contact), AT(SampleRow, arm), AT(SampleRow, slide), AT(SampleRow, body), AT(SampleRow, pressure),
         AT(SampleRow, friction), AT(SampleRow, volume), AT(SampleRow, turning), AT(SampleRow, toward),
         AT(SampleRow, face)});
    check_struct(layouts, "CoupledRow", {AT(CoupledRow, body), AT(CoupledRow, pressure)});
    check_struct(layouts, "SampleSolve",
                 {AT(SampleSolve, value), AT(SampleSolve, next), AT(SampleSolve, direction), AT(SampleSolve, best),
                  AT(SampleSolve, error), AT(SampleSolve, slip)});
    check_struct(layouts, "ContactPartial",
                 {AT(ContactPartial, residual), AT(ContactPartial, norm), AT(ContactPartial, active_rows),
                  AT(ContactPartial, bad), AT(ContactPartial, friction_residual), AT(ContactPartial, friction_norm),
                  AT(ContactPartial, friction_rows), AT(ContactPartial, padding)});
    check_struct(layouts, "ContactShare",
                 {AT(ContactShare, row), AT(ContactShare, body), AT(ContactShare, partner), AT(ContactShare, padding),
                  AT(ContactShare, point), AT(ContactShare, pressure), AT(ContactShare, friction)});
    check_struct(layouts, "Page", {AT(Page, address)});
    check_stride(layouts, "Params", sizeof(Params));
    check_stride(layouts, "Control", sizeof(Control));
    check_stride(layouts, "Status", sizeof(Status));
    check_stride(layouts, "BodyState", sizeof(BodyState));
    check_stride(layouts, "SolvePartial", sizeof(SolvePartial));
    check_stride(layouts, "StepPartial", sizeof(StepPartial));
    check_stride(layouts, "RigidState", sizeof(RigidState));
    check_stride(layouts, "RigidBody", sizeof(RigidBody));
    check_stride(layouts, "RigidStep", sizeof(RigidStep));
    check_stride(layouts, "RigidSum", sizeof(RigidSum));
    check_stride(layouts, "Chunk", sizeof(Chunk));
    check_stride(layouts, "SampleRow", sizeof(SampleRow));
    check_stride(layouts, "CoupledRow", sizeof(CoupledRow));
    check_stride(layouts, "SampleSolve", sizeof(SampleSolve));
    check_stride(layouts, "ContactPartial", sizeof(ContactPartial));
    check_stride(layouts, "ContactShare", sizeof(ContactShare));
    check_stride(layouts, "Page", sizeof(Page));
    check_stride(layouts, "Edit", sizeof(Edit));
    check_stride(layouts, "DrawUnits", sizeof(DrawUnits));
    check_stride(layouts, "DrawnHeader", sizeof(DrawnHeader));
    CHECK(sizeof(Params) % 16 == 0);
    CHECK(offsetof(Control, dispatches) % 4 == 0);
  }
}

TEST_CASE("push constants have the same offsets in shaders and in C++") {
  Layouts layouts;
  for (const EmbeddedShader& shader : strict_shaders()) read_layouts(shader.code, layouts);
  Offsets table;
#define BUFFER(name, Element, count, lifetime, part) table.insert(AT(BufferTable, name));
#define GATHERED(name, Element, count, lifetime, part, binding) BUFFER(name, Element, count, lifetime, part)
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
  check_struct(layouts, "BufferTable", table);
  check_struct(layouts, "SortScatterArgs",
               {AT(SortScatterArgs, count), AT(SortScatterArgs, keys), AT(SortScatterArgs, values),
                AT(SortScatterArgs, counts), AT(SortScatterArgs, totals), AT(SortScatterArgs, sorted_keys),
                AT(SortScatterArgs, sorted_values), AT(SortScatterArgs, shift), AT(SortScatterArgs, digits)});
  check_struct(layouts, "BeginStepArgs",
               {AT(BeginStepArgs, edit_count), AT(BeginStepArgs, edits_wait), AT(BeginStepArgs, frames_taken),
                AT(BeginStepArgs, until_frame), AT(BeginStepArgs, until_time), AT(BeginStepArgs, spill_blocks)});
  check_struct(layouts, "DrawFluidArgs",
               {AT(DrawFluidArgs, units), AT(DrawFluidArgs, header), AT(DrawFluidArgs, drawn_position),
                AT(DrawFluidArgs, drawn_velocity), AT(DrawFluidArgs, drawn_density), AT(DrawFluidArgs, earlier_density),
                AT(DrawFluidArgs, ids)});
  check_struct(layouts, "ReportContactsArgs",
               {AT(ReportContactsArgs, shares), AT(ReportContactsArgs, count), AT(ReportContactsArgs, capacity)});
  // Those above hold all kinds of members that there are. What a pass pushes begins with the table, if it knows that.
  CHECK(layouts.structs["Push"].size() == strict_shaders().size());
  for (const Offsets& push : layouts.structs["Push"]) {
    CHECK((push == Offsets{{"args", 0}} || push == Offsets{{"buffers", 0}} ||
           push == Offsets{{"buffers", 0}, {"args", sizeof(Ptr<BufferTable>)}}));
  }
}
