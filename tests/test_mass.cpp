#include <doctest/doctest.h>

#include <cmath>

#include "host/sampling/mass.h"
#include "host/sampling/shape_mesh.h"
#include "tests/mesh_shapes.h"

namespace {

using namespace sluice;
using namespace sluice::io;

const Quat kTurn{0.8, 0.36, 0.48, 0};  // a unit quaternion without a trigonometric function

}  // namespace

TEST_CASE("primitives' meshes are closed, point outwards and have the exact mass properties") {
  for (int kind = 0; kind <= static_cast<int>(ShapeKind::torus); ++kind) {
    CAPTURE(kind);
    Shape shape;
    shape.kind = static_cast<ShapeKind>(kind);
    shape.box = {1, 2, 3};
    shape.radius = 1;
    shape.height = 1.7;
    shape.tube = 0.3;
    const TriangleMesh mesh = mesh_of_primitive(shape, 0.1);
    const MeshFacts facts = inspect_mesh(mesh);
    CHECK(facts.open_edges == 0);
    CHECK(facts.odd_edges == 0);
    const MassProperties sum = mesh_mass(mesh);
    CHECK(sum.mass == doctest::Approx(facts.volume));
    CHECK(sum.mass > 0);
    if (!has_exact_mass(shape.kind)) continue;
    const MassProperties exact = exact_mass(shape);
    CHECK(sum.mass == doctest::Approx(exact.mass).epsilon(0.01));
    CHECK(length(sum.center - exact.center) < 1e-12);
    for (int i = 0; i < 6; ++i) CHECK(std::abs(sum.inertia[i] - exact.inertia[i]) < 0.01 * exact.inertia[0]);
  }
}

TEST_CASE("a wedge and a pyramid lie as described, with exact mass properties") {
  Shape shape;
  shape.kind = ShapeKind::wedge;
  shape.box = {3, 6, 2};
  const TriangleMesh wedge = mesh_of_primitive(shape, 0.1);
  const MassProperties w = mesh_mass(wedge);
  CHECK(w.mass == doctest::Approx(18));
  CHECK(w.center.x == doctest::Approx(-0.5));  // a third of the way from the square edge at x-, y-
  CHECK(w.center.y == doctest::Approx(-1));
  CHECK(w.center.z == doctest::Approx(0));
  CHECK(w.inertia[2] == doctest::Approx(18 * (9 + 36) / 18.0));
  CHECK(w.inertia[3] == doctest::Approx(18 * 3 * 6 / 36.0));  // minus the integral of x y, which is negative
  const MeshColumns columns = make_columns(wedge, inspect_mesh(wedge));
  CHECK(inside_mesh(wedge, columns, {-1.4, 2.7, 0.03}));
  CHECK(!inside_mesh(wedge, columns, {1.4, 2.7, 0.03}));
  shape.kind = ShapeKind::pyramid;
  const MassProperties p = mesh_mass(mesh_of_primitive(shape, 0.1));
  CHECK(p.mass == doctest::Approx(12));
  CHECK(p.center.y == doctest::Approx(-1.5));
  CHECK(p.inertia[1] == doctest::Approx(12 * (9 + 4) / 20.0));
}

TEST_CASE("inertia about the centre of mass does not change when a mesh is moved, and turns with it") {
  TriangleMesh mesh = rabbit(0.3), moved = mesh, turned = mesh;
  for (Vec3& v : moved.vertices) v = v + Vec3{1000, -2000, 500};
  for (Vec3& v : turned.vertices) v = rotate(kTurn, v);
  for (const auto& measure : {+[](const TriangleMesh& m) { return mesh_mass(m); }, +shell_mass}) {
    const MassProperties a = measure(mesh), b = measure(moved), c = measure(turned);
    CHECK(b.mass == doctest::Approx(a.mass).epsilon(1e-8));
    CHECK(length(b.center - a.center - Vec3{1000, -2000, 500}) < 1e-9);
    for (int i = 0; i < 6; ++i) CHECK(std::abs(b.inertia[i] - a.inertia[i]) < 1e-8 * a.inertia[0]);
    CHECK(length(c.center - rotate(kTurn, a.center)) < 1e-12);
    const auto energy = [](const MassProperties& m, Vec3 w) {
      const auto& t = m.inertia;
      return t[0] * w.x * w.x + t[1] * w.y * w.y + t[2] * w.z * w.z +
             2 * (t[3] * w.x * w.y + t[4] * w.x * w.z + t[5] * w.y * w.z);
    };
    for (const Vec3 w : {Vec3{1, 0, 0}, Vec3{0.3, -2, 1}})
      CHECK(energy(c, rotate(kTurn, w)) == doctest::Approx(energy(a, w)).epsilon(1e-10));
  }
  const MassProperties shell = shell_mass(icosphere(4, 2));
  CHECK(shell.inertia[0] == doctest::Approx(2.0 / 3 * 4 * shell.mass).epsilon(0.01));
}
