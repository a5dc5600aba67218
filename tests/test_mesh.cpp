#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "host/io/mesh.h"
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
  for (const char* face : {"f 1 2 4\n", "f 1 2 3 9\n", "f 0 1 2\n", "f -9 1 2\n", "f 1 2 3 2 77\n"}) {
    CAPTURE(face);
    CHECK(has(obj_error(std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\n") + face), "a face names a vertex"));
  }
}
