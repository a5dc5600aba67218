#include "host/io/body_files.h"

#include <charconv>

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader =
    "frame,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,contacts,"
    "contact_fx,contact_fy,contact_fz,contact_tx,contact_ty,contact_tz,"
    "fluid_fx,fluid_fy,fluid_fz,fluid_tx,fluid_ty,fluid_tz\n";

// The shortest text that reads back as the same number.
template <class T>
void append_number(std::string& text, T value, char after) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  text += after;
}

void append_vector(std::string& line, Vec3 v, char after = ',') {
  append_number(line, v.x, ',');
  append_number(line, v.y, ',');
  append_number(line, v.z, after);
}

// Quoted where a name has a comma or a space in it; names have no quotation marks.
std::string csv_name(const std::string& name) {
  return name.find_first_of(", ") == std::string::npos ? name : '"' + name + '"';
}

}  // namespace

BodyWriter open_bodies(const fs::path& folder) {
  BodyWriter writer{folder / "bodies.csv", nullptr};
  writer.file = open_file(writer.path, "wb");
  write_bytes(writer.file.get(), kHeader, writer.path);
  flush_file(writer.file.get(), writer.path);
  return writer;
}

void append_bodies(BodyWriter& writer, const Frame& frame, std::span<const RigidBody> bodies) {
  std::string rows;
  for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
    const BodyRecord& body = frame.bodies[b];
    append_number(rows, frame.number, ',');
    append_number(rows, frame.time, ',');
    rows += csv_name(bodies[b].name) + ',';
    append_vector(rows, body.position - rotate(body.orientation, bodies[b].center_of_mass));
    append_number(rows, body.orientation.w, ',');
    append_vector(rows, {body.orientation.x, body.orientation.y, body.orientation.z});
    append_vector(rows, body.velocity);
    append_vector(rows, body.angular_velocity);
    append_number(rows, body.contacts, ',');
    append_vector(rows, body.contact_force);
    append_vector(rows, body.contact_torque);
    append_vector(rows, body.fluid_force);
    append_vector(rows, body.fluid_torque, '\n');
  }
  write_bytes(writer.file.get(), rows, writer.path);
  flush_file(writer.file.get(), writer.path);
}

void close_bodies(BodyWriter& writer) {
  if (writer.file) close_file(std::move(writer.file), writer.path);
}

void write_obj(const fs::path& path, const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3& v : mesh.vertices) {
    text += "v ";
    append_number(text, v.x, ' ');
    append_number(text, v.y, ' ');
    append_number(text, v.z, '\n');
  }
  for (const auto& triangle : mesh.triangles) {
    text += "f ";
    append_number(text, triangle[0] + 1, ' ');
    append_number(text, triangle[1] + 1, ' ');
    append_number(text, triangle[2] + 1, '\n');
  }
  write_file(path, text);
}

}  // namespace sluice::io
