#include <string>

#include "host/scene/scene_names.h"
#include "host/scene/scene_objects.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBunny = "bunny.obj";  // of scenes that come with the program; too large to come along
constexpr const char* kKinds =
    "a \"box\": [x, y, z], a \"sphere\", \"cylinder\", \"capsule\", \"cone\", \"wedge\", \"pyramid\", \"torus\" or a "
    "\"mesh\": \"PATH\"";

// How a kind of shape is written.
std::string example_of(ShapeKind kind) {
  const std::string key = in_quotes(name_of(kShapes, kind)) + ": ";
  switch (kind) {
    case ShapeKind::box:
    case ShapeKind::wedge:
    case ShapeKind::pyramid:
      return key + "[x, y, z]";
    case ShapeKind::sphere:
      return key + R"({ "radius": 0.1 })";
    case ShapeKind::torus:
      return key + R"({ "radius": 0.3, "tube": 0.1 })";
    case ShapeKind::mesh:
      return key + R"("PATH")";
    default:
      return key + R"({ "radius": 0.1, "height": 0.3 })";
  }
}

// The form of a shape that is only named: "shape": "box", or by a "type". False if there is none such.
bool refuse_named_shape(Reader& reader, const Spot& shape) {
  const Spot type = shape.node->kind == JsonKind::object ? at(shape, "type") : shape;
  if (!type || (type.node->kind != JsonKind::string && shape.node->kind != JsonKind::object)) return false;
  for (const Named<ShapeKind>& kind : kShapes) {
    if (type.node->kind != JsonKind::string || type.node->string != kind.name) continue;
    complain(reader, type, "a shape's kind is its key: write \"shape\": { " + example_of(kind.value) + " }");
    return true;
  }
  complain(reader, type, std::string("a shape's kind is its key, with its lengths: ") + kKinds);
  return true;
}

void read_mesh(Reader& reader, const Spot& shape, const Spot& mesh, const fs::path& folder, Shape& out) {
  if (expect(reader, mesh, JsonKind::string)) {
    const std::string& name = mesh.node->string;
    out.mesh = folder / fs::path(std::u8string(name.begin(), name.end()));
    std::error_code code;
    if (name.find('\0') != std::string::npos || !fs::is_regular_file(out.mesh, code)) {
      const bool is_bunny = out.mesh.filename() == kBunny;
      complain(reader, mesh,
               "there is no file " + in_quotes(out.mesh.generic_string()) +
                   (is_bunny ? "; tools/fetch_bunny makes scenes/models/bunny.obj, from npm or as a stand-in"
                             : "; write a mesh file's path, relative to the scene file's folder"));
    }
  }
  Vec3 round;
  const Spot about = at(shape, "roundAbout");
  if (about && about.node->kind != JsonKind::array)
    complain(reader, about,
             "must be an array of 3 numbers, the direction of the mesh's axis such as [0, 1, 0], not " +
                 std::string(kind_name(about.node->kind)) + "; leave the key out of a mesh that is not round");
  else if (about && read_vector(reader, shape, "roundAbout", kVector, round)) {
    if (round.x == 0 && round.y == 0 && round.z == 0)
      return complain(reader, about, "must not be zero; write the direction of the mesh's axis, such as [0, 1, 0]");
    out.round_about = round;
  }
  const Spot scale = at(shape, "scale");
  if (!scale) return;
  if (scale.node->kind == JsonKind::array) {
    read_vector(reader, shape, "scale", kLength, out.scale);
  } else if (scale.node->kind != JsonKind::number) {
    complain(reader, scale, "must be a number or an array of 3, not " + std::string(kind_name(scale.node->kind)));
  } else if (expect_in(reader, scale, kLength)) {
    out.scale = {scale.node->number, scale.node->number, scale.node->number};
  }
}

void read_primitive(Reader& reader, const Spot& shape, const Spot& primitive, Shape& out) {
  switch (out.kind) {
    case ShapeKind::sphere:
      if (!expect_object(reader, primitive, kSphereKeys)) return;
      break;
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
    case ShapeKind::cone:
      if (!expect_object(reader, primitive, kRoundKeys)) return;
      read_number(reader, primitive, "height", kLength, out.height);
      break;
    case ShapeKind::torus:
      if (!expect_object(reader, primitive, kTorusKeys)) return;
      read_number(reader, primitive, "tube", kLength, out.tube);
      break;
    default:
      read_vector(reader, shape, name_of(kShapes, out.kind), kLength, out.box);
      return;
  }
  read_number(reader, primitive, "radius", kLength, out.radius);
  if (out.kind == ShapeKind::torus && out.radius > 0 && out.tube >= out.radius) {
    complain(reader, at(primitive, "tube"),
             "must be less than the radius, which is that of the tube's middle circle: else the hole closes");
  }
}

}  // namespace

void read_shape(Reader& reader, const Spot& object, Role role, const fs::path& folder, Shape& out) {
  const Spot shape = at(object, "shape");
  if (!shape || refuse_named_shape(reader, shape) || !expect_object(reader, shape, kShapeKeys)) return;
  std::string first;
  for (const Named<ShapeKind>& kind : kShapes) {
    if (!at(shape, kind.name)) continue;
    if (!first.empty()) {
      return complain(reader, shape,
                      "a shape is a \"" + first + "\" or a \"" + std::string(kind.name) + "\", not both; remove one");
    }
    first = kind.name;
    out.kind = kind.value;
  }
  if (first.empty()) {
    return complain(reader, shape, std::string("a shape needs ") + kKinds);
  }
  const Spot kind = at(shape, first), open = at(shape, "open"), scale = at(shape, "scale");
  const Spot round = at(shape, "roundAbout");
  if (role == Role::fluid && out.kind != ShapeKind::box) {
    complain_at_key(reader, kind, "a fluid with the shape of a " + first + " is not built yet; use a \"box\"");
  } else if (out.kind == ShapeKind::mesh) {
    read_mesh(reader, shape, kind, folder, out);
  } else {
    read_primitive(reader, shape, kind, out);
  }
  if (scale && out.kind != ShapeKind::mesh)
    complain_at_key(reader, scale, "only a mesh has a scale; change the lengths of the " + first);
  if (round && out.kind != ShapeKind::mesh)
    complain_at_key(reader, round, "only a mesh must say what it is round about; remove this key");
  if (!open) return;
  if (out.kind != ShapeKind::box) {
    std::string sentence = "only a box has faces to leave open; remove this key";
    if (role == Role::boundary)
      sentence +=
          ", and for a round tank set \"solid\": \"outside\" beside \"shape\", which closes it, or draw it as a "
          "\"mesh\" with walls";
    return complain_at_key(reader, open, sentence);
  }
  if (role != Role::boundary) return complain_at_key(reader, open, "only a boundary has an open face; remove this key");
  match(reader, open, kOpens, out.open);
}

}  // namespace sluice::io
