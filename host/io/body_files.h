// The files of rigid bodies: bodies.csv has a row a body a frame; contacts.csv a row a touching pair a frame;
// each shape's surface is one OBJ file, which a row's pose puts into the world.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "host/io/atomic_file.h"
#include "host/sampling/mesh.h"
#include "sluice/sluice.h"

namespace sluice::io {

// Columns: frame, time (s), body (its name); x, y, z (m) and qw, qx, qy, qz: the pose of the frame in which the shape
// was given; vx, vy, vz (m/s) of the centre of mass; wx, wy, wz (rad/s); contacts, the number of samples next to
// another body or a boundary; force (N) and torque (N m, about the centre of mass) in the last step by contacts
// (contact_fx ... contact_tz, friction included) and by the fluid (fluid_fx ... fluid_tz). World axes.
struct BodyWriter {
  std::filesystem::path path;
  File file;
};

// A new bodies.csv with its header row.
BodyWriter open_bodies(const std::filesystem::path& folder);

// Appends a row for each body and flushes. `bodies` are the scene's, as long as frame.bodies. Throws Error naming the
// file when a write fails.
void append_bodies(BodyWriter& writer, const Frame& frame, std::span<const RigidBody> bodies);
void close_bodies(BodyWriter& writer);

// The poses and velocities of frames of which every body has its row, by frame. Throws Error naming the place of a
// row that is no such row; a last one that was cut off is left out.
std::map<std::uint32_t, std::vector<BodyRecord>> read_bodies(const std::filesystem::path& path,
                                                             std::span<const RigidBody> bodies);

// Columns: frame, time (s), a (a body's name), b (a later body's or a boundary's); x, y, z (m): where they touch; nx,
// ny, nz: the direction in which b pushes a, and normal_force (N); friction_fx, friction_fy, friction_fz (N), on a;
// samples with a share in it. All of the step that ended the frame; on b acts the opposite. See Contact.
struct ContactWriter {
  std::filesystem::path path;
  File file;
};

// A new contacts.csv with its header row.
ContactWriter open_contacts(const std::filesystem::path& folder);
// Appends a row a pair and flushes. Throws Error naming the file when a write fails.
void append_contacts(ContactWriter& writer, const Frame& frame, std::span<const Contact> contacts, const Scene& scene);

// Vertices (m) and triangles, in the shape's frame.
void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh);

}  // namespace sluice::io
