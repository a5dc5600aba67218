#include "host/io/body_files.h"

#include <array>
#include <charconv>
#include <cmath>

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader =
    "frame,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,contacts,"
    "contact_fx,contact_fy,contact_fz,contact_tx,contact_ty,contact_tz,"
    "fluid_fx,fluid_fy,fluid_fz,fluid_tx,fluid_ty,fluid_tz\n";

constexpr std::string_view kContactHeader =
    "frame,time,a,b,x,y,z,nx,ny,nz,normal_force,friction_fx,friction_fy,friction_fz,samples\n";

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
  writer.file = create_file(writer.path);
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
  check_in_place(writer.file.get(), writer.path);
}

ContactWriter open_contacts(const fs::path& folder) {
  ContactWriter writer{folder / "contacts.csv", nullptr};
  writer.file = create_file(writer.path);
  write_bytes(writer.file.get(), kContactHeader, writer.path);
  flush_file(writer.file.get(), writer.path);
  return writer;
}

void append_contacts(ContactWriter& writer, const Frame& frame, std::span<const Contact> contacts, const Scene& scene) {
  std::string rows;
  for (const Contact& contact : contacts) {
    append_number(rows, frame.number, ',');
    append_number(rows, frame.time, ',');
    rows += csv_name(scene.rigid[contact.a].name) + ',';
    rows += csv_name(contact.boundary ? scene.bodies[contact.b].name : scene.rigid[contact.b].name) + ',';
    append_vector(rows, contact.point);
    append_vector(rows, contact.normal);
    append_number(rows, contact.normal_force, ',');
    append_vector(rows, contact.friction);
    append_number(rows, contact.samples, '\n');
  }
  write_bytes(writer.file.get(), rows, writer.path);
  flush_file(writer.file.get(), writer.path);
  check_in_place(writer.file.get(), writer.path);
}

void close_bodies(BodyWriter& writer) {
  if (writer.file) close_file(std::move(writer.file), writer.path);
}

std::map<std::uint32_t, std::vector<BodyRecord>> read_bodies(const fs::path& path, std::span<const RigidBody> bodies) {
  const std::string text = read_regular_file(path);
  if (!std::string_view(text).starts_with(kHeader))
    throw Error(path.string() + ":1: these are not the columns of this version of sluice; run the scene again");
  std::map<std::uint32_t, std::vector<BodyRecord>> frames;
  std::size_t line_number = 1;
  for (std::size_t start = kHeader.size(); start < text.size();) {
    ++line_number;
    const std::size_t end = text.find('\n', start);
    if (end == std::string::npos) break;
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    // The name is the third column and the only one that may hold a comma; it is not looked at.
    const std::size_t second = line.find(',', line.find(',') + 1), name = second + 1;
    const bool quoted = second < line.size() && line.substr(name).starts_with('"');
    const std::size_t after = line.find(',', quoted ? line.find('"', name + 1) : name);
    std::array<double, 13> number{};
    std::uint32_t frame = 0;
    const char* const last = line.data() + line.size();
    bool good = after < line.size() && std::from_chars(line.data(), last, frame).ec == std::errc();
    const char* at = line.data() + after;
    for (std::size_t k = 0; good && k < number.size(); ++k) {
      good = at < last && *at == ',';
      if (!good) break;
      const auto read = std::from_chars(at + 1, last, number[k]);
      good = read.ec == std::errc() && std::isfinite(number[k]);
      at = read.ptr;
    }
    if (!good || frames[frame].size() >= bodies.size())
      throw Error(path.string() + ":" + std::to_string(line_number) +
                  ": not a row of these bodies; run the scene again");
    const auto& n = number;
    BodyRecord body;
    body.orientation = {n[3], n[4], n[5], n[6]};
    body.position = Vec3{n[0], n[1], n[2]} + rotate(body.orientation, bodies[frames[frame].size()].center_of_mass);
    body.velocity = {n[7], n[8], n[9]};
    body.angular_velocity = {n[10], n[11], n[12]};
    frames[frame].push_back(body);
  }
  std::erase_if(frames, [&](const auto& frame) { return frame.second.size() < bodies.size(); });
  return frames;
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
  write_file(path, text, Existing::refuse);
}

}  // namespace sluice::io
