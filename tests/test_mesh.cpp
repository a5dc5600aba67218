#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "host/sampling/geometry.h"
#include "host/sampling/mesh.h"
#include "tests/mesh_shapes.h"

namespace {

using namespace sluice;
using namespace sluice::io;

std::string obj_error(const std::string& text) {
  try {
    parse_obj(text, "m.obj");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("inside_mesh agrees with the shape, also above vertices and edges") {
  for (const bool oriented : {true, false}) {
    TriangleMesh cube = box_mesh({2, 2, 2});
    if (!oriented) std::swap(cube.triangles[0][0], cube.triangles[0][1]);
    const MeshFacts facts = inspect_mesh(cube);
    CHECK(facts.open_edges == 0);
    CHECK((facts.odd_edges == 0) == oriented);
    const MeshColumns columns = make_columns(cube, facts);
    for (double x = -1.5; x <= 1.5; x += 0.25)
      for (double y = -1.5; y <= 1.5; y += 0.25)
        for (double z = -1.5; z <= 1.5; z += 0.25) {
          if (std::max({std::abs(x), std::abs(y), std::abs(z)}) == 1) continue;
          CHECK(inside_mesh(cube, columns, {x, y, z}) == (std::max({std::abs(x), std::abs(y), std::abs(z)}) < 1));
        }
  }
}

TEST_CASE("an icosphere has the volume and the area of its ball, nearly") {
  const MeshFacts facts = inspect_mesh(icosphere(4, 2));
  CHECK(facts.open_edges + facts.odd_edges == 0);
  CHECK(facts.volume == doctest::Approx(33.51).epsilon(0.01));
  CHECK(facts.area == doctest::Approx(50.27).epsilon(0.01));
}

TEST_CASE("an OBJ file may have quads, polygons, negative indices, CRLF, seams and no last newline") {
  const TriangleMesh quads = parse_obj(
      "# cube\r\nmtllib none.mtl\r\nv 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nv 0 0 1\r\nv 1 0 1\r\nv 1 1 1\r\n"
      "v 0 1 +1e0\r\nf 1 4 3 2\r\nf -4 -3 -2 -1\r\nf 1/9/9 2 6 5\r\nf 2 3 7 6\r\nf 3 4 8 7\r\nf 4 1 5 8",
      "cube.obj");
  CHECK(quads.vertices.size() == 8);
  CHECK(quads.triangles.size() == 12);
  const MeshFacts facts = inspect_mesh(quads);
  CHECK(facts.volume == doctest::Approx(1));
  CHECK(facts.area == doctest::Approx(6));
  CHECK(facts.open_edges + facts.odd_edges == 0);
  const TriangleMesh arrow = parse_obj("v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n", "arrow.obj");
  CHECK(inspect_mesh(arrow).area == doctest::Approx(1));
  const TriangleMesh seam =
      parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 0 1 -0\nf 1 2 3\nf 4 5 6\nf 1 1 2", "s");
  CHECK(seam.vertices.size() == 4);
  CHECK(seam.triangles.size() == 2);
  CHECK(inspect_mesh(seam).open_edges == 4);
}

TEST_CASE("bad OBJ files are refused with the file, the line where known, and a remedy") {
  CHECK(has(obj_error("v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"), "m.obj:2: a coordinate is not a finite number"));
  CHECK(has(obj_error("v 0 0 0\r\nv 0 inf 0\r\nf 1 2 1\r\n"), "m.obj:2: a coordinate is not a finite number"));
  CHECK(has(obj_error("v 0 0 1e999\nf 1 1 1\n"), "m.obj:1: a coordinate does not fit"));
  CHECK(has(obj_error("v 0 0\n"), "m.obj:1: a vertex needs three numbers"));
  CHECK(has(obj_error("v 0 0 0x\n"), "m.obj:1: a vertex needs three numbers"));
  CHECK(has(obj_error("hello"), "m.obj: has no vertices"));
  CHECK(has(obj_error("v 0 0 0\nv 1 0 0\nl 1 2\n"), "m.obj: has no faces"));
  CHECK(has(obj_error("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), "m.obj: no face has an area"));
  const auto face = [](const char* line) { return obj_error(std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\n") + line); };
  CHECK(face("f 1 2 4\n") == "m.obj:4: a face names vertex 4, but the file has 3 vertices; export the mesh again");
  CHECK(has(face("\nf 1 2 3 9\n"), "m.obj:5: a face names vertex 9"));
  CHECK(has(face("f 1 2 3 2 77\n"), "m.obj:4: a face names vertex 77"));
  CHECK(has(face("f 1 2 3\nf 1 \\\n 2 8\n"), "m.obj:6: a face names vertex 8"));
  CHECK(has(face("f 0 1 2\n"), "m.obj:4: a face names vertex 0, but vertices count from 1"));
  CHECK(has(face("f -9 1 2\n"), "m.obj:4: a face names vertex -9, which the file does not have: only 3 stand before"));
  for (const char* index : {"4294967297", "2147483649", "-4294967295", "18446744073709551617", "-9223372036854775808"})
    CHECK(has(face((std::string("f ") + index + " 1 2\n").c_str()),
              std::string("m.obj:4: a face names vertex ") + index));
  for (const char* word : {"1.5", "x", "1/a", "/1", "1e0", "--1", "1,"})
    CHECK(has(face((std::string("f ") + word + " 2 3\n").c_str()),
              std::string("m.obj:4: a face has a corner \"") + word));
}

TEST_CASE("an OBJ file may begin with a BOM, go on behind a backslash, leave indices empty, and name vertices ahead") {
  const std::string vertices = "v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 0.3\n", rest = "f 1 2 4\nf 2 3 4\nf 3 1 4\n";
  for (const std::string& text :
       {vertices + "f 1 3 2\n" + rest, "\xEF\xBB\xBF" + vertices + "f 1 3 2\n" + rest,
        vertices + "f 1 3 \\\n2\n" + rest, vertices + "f 1 3\\\r\n2\r\n" + rest,
        vertices + "f \\  \n1 \\\n\\\n 3 2\n" + rest, vertices + "f 1// 3// 2//\n" + rest,
        vertices + "vt 0 0\nf 1/0 3/0 2/0\n" + rest, vertices + "f 1//1 3//2 2//3\n" + rest,
        vertices + "f 1/0/0 3/0/0 2/0/0\n" + rest, vertices + "f 1/ 3/ 2/\n" + rest, "f 1 3 2\n" + rest + vertices,
        vertices + "f -4 -2 -3\n" + rest, vertices + "f 1 3 2 # base\n" + rest,
        vertices + "f 1 3 2\nf 1 2\nf 3\nf\n" + rest, "v 0 0 0\rv 0.3 0 0\rv 0 0.3 0\rv 0 0 0.3 1\rf 1 3 2\r" + rest,
        "# a comment \\\n\t" + vertices + "f 1 3 2\n" + rest,
        "v 0 0 0 1 1 1\nv 3e-1 1e-999 -0\nv 0 \\\n+0.3 0\nv 0 0 .3\nf 1 3 2\n" + rest}) {
    CAPTURE(text);
    const MeshFacts facts = inspect_mesh(parse_obj(text, "m.obj"));
    CHECK(facts.volume == doctest::Approx(0.0045).epsilon(1e-12));
    CHECK(facts.open_edges + facts.odd_edges == 0);
  }
}

TEST_CASE("files that are no OBJ are named for what they are") {
  const auto error = [](const std::string& text, const char* name) {
    try {
      parse_obj(text, name);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string ascii = "solid cube\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\nendfacet\nendsolid\n";
  CHECK(error(ascii, "cube.stl") == "cube.stl: is an STL file; export the mesh as Wavefront OBJ (.obj)");
  CHECK(has(error(ascii, "cube.obj"), "cube.obj: is an STL file"));
  std::string binary(84 + 50, '\0');
  binary[80] = 1;
  CHECK(has(error(binary, "c.obj"), "c.obj: is an STL file"));
  CHECK(has(error(binary + "x", "c.stl"), "c.stl: is an STL file"));
  CHECK(has(error("ply\nformat ascii 1.0\n", "c.obj"), "is a PLY file"));
  CHECK(has(error("glTF\2", "c.obj"), "is a glTF file"));
  CHECK(has(error("{\"asset\": {\"version\": \"2.0\"}}", "c.gltf"), "is a glTF file"));
  CHECK(has(error("Kaydara FBX Binary  ", "c.obj"), "is an FBX file"));
  CHECK(has(error("PK\x03\x04", "c.3mf"), "is a ZIP or 3MF file"));
  CHECK(has(error("whatever", "c.STEP"), "is a STEP file"));
  CHECK(has(error(std::string("\xFF\xFEv\0 \0", 6), "c.obj"), "c.obj: is text in UTF-16; save it as UTF-8"));
  CHECK(has(error(std::string("v 0 0 0\r\nv 0 \0 0\n", 17), "c.obj"), "c.obj:2: holds a byte 0"));
  CHECK(error("v -0,1 -0,1 0,1\n", "c.obj") ==
        "c.obj:1: \"-0,1\" has a decimal comma; export the mesh again with decimal points, or replace the commas");
  CHECK(inspect_mesh(parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "named.stl")).area == doctest::Approx(0.5));
}

TEST_CASE("a mesh so far from its origin that doubles cannot tell its shape is refused, with a line") {
  const std::string faces = "f 1 2 3\n";
  CHECK(has(obj_error("v 999999999999999.9 0 0\nv 1000000000000000.1 0 0\nv 1e15 0.2 0\n" + faces),
            "m.obj:2: the mesh lies 1e+15 m from its origin, where a size of 0.25 m cannot be told exactly; move it"));
  CHECK(obj_error("v 1e6 0 0\nv 1000000.2 0 0\nv 1e6 0.2 0\n" + faces) == "");
  // A vertex that no face names does not count.
  CHECK(obj_error("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1e15 0 0\n" + faces) == "");
  CHECK(has(obj_error("v 0 0 0\nv 1e200 0 0\nv 0 1 0\n" + faces),
            "m.obj:2: the coordinate \"1e200\" is larger than any"));
}

TEST_CASE("messages about a mesh's size tell it in metres, and name the scale") {
  const auto sized = [](Vec3 size, Vec3 at) {
    Geometry geometry;
    geometry.shape.kind = ShapeKind::mesh;
    geometry.shape.mesh = "m.obj";
    geometry.mesh = box_mesh(size);
    for (Vec3& v : geometry.mesh.vertices) v = v + at;
    try {
      finish_geometry(geometry, 0.02);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return describe_small(geometry, 0.02);
  };
  CHECK(sized({0.2, 0.2, 0.2}, {}) == "");
  CHECK(has(sized({200, 100, 200}, {}),
            "m.obj: the mesh would have more than 13 million samples: with its scale it is "
            "200 x 100 x 200 m; if it was drawn in millimetres, give it \"scale\": 0.001"));
  CHECK(has(sized({0.2, 0.2, 0.2}, {1e8, 0, 0}), "m.obj: the mesh reaches too far from its origin"));
  CHECK(has(sized({0.002, 0.001, 0.002}, {}),
            "mesh m.obj is 0.002 x 0.001 x 0.002 m large, less than the particle "
            "spacing of 0.02 m: if it was drawn in other units, give it a larger"));
}
