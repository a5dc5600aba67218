// Rigid bodies of the reference: their state, its integration, and the samples that follow it.
// Solver units as in passes.h: length h, mass rho_0 h^3, time T0; inertia rho_0 h^5, force rho_0 h^4 / T0^2.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sluice/scene.h"

namespace sluice::reference {

struct Mat3 {
  std::array<Vec3, 3> row;
};
Vec3 operator*(const Mat3& m, Vec3 v);
// Inverse of a symmetric positive definite matrix.
Mat3 inverse(const Mat3& m);
// Eigenvalues of a symmetric matrix, ascending.
std::array<double, 3> eigenvalues(Mat3 m);

// The unit quaternion that turns by |angle| radians about `angle`, from + - * / and sqrt alone, so that every machine
// gets the same bits. |angle| < 2^20.
Quat turn_by(Vec3 angle);
Quat conjugate(Quat q);

// The orientation of a round body's samples once the body has turned by `angle` or about that, from q to next.
Quat turned_samples(const Revolution& round, Quat samples, Quat q, Quat next, Vec3 angle);

struct BodyState {
  double mass = 1;
  Mat3 inertia;          // about the centre of mass, body frame
  Mat3 inverse_inertia;  // the same frame
  double smallest_inertia = 1;
  double friction = 0;
  std::uint32_t friction_class = 0;
  double restitution = 0;
  double gravity_scale = 1;
  Vec3 force, torque;  // constant, world axes
  std::array<bool, 3> free_translation{true, true, true};
  Turning turning = Turning::free;
  Vec3 axis{0, 1, 0};
  Revolution round;       // body frame, from the centre of mass, h
  double round_side = 0;  // distance of the outermost samples from the axis

  Vec3 position;  // of the centre of mass
  Quat orientation;
  Quat sample_orientation;  // without the turns of a round body about its axis
  Vec3 velocity;
  Vec3 angular_velocity;
  Vec3 angular_momentum;  // about the centre of mass, world axes
  bool driven = false;    // goes on by its velocities, whatever acts on it: a boundary's row carriers
};

// Surface samples of all bodies, body after body.
struct RigidSamples {
  std::vector<std::uint32_t> body;
  std::vector<Vec3> local;          // from the centre of mass, body frame
  std::vector<double> rest_volume;  // V0_r / h^3 [eq. 3.2]
  std::vector<double> own_sum;      // sum of W over the samples of the own body, r included: constant in time
  std::size_t carriers = 0;         // so many at the end are row carriers of boundaries, without weight
};

// Throws Error on a body whose shape is missing or empty, or whose mass or inertia is not positive. A motion that is
// not free starts at rest.
std::vector<BodyState> make_bodies(const Scene& scene, double reference_density);
RigidSamples make_samples(const Scene& scene);

// I(t) omega and I(t)^-1 L in world axes. A body that turns about an axis has I^-1 = a a^T / (a . I a), one that does
// not turn has I^-1 = 0, so that no torque turns it otherwise.
Vec3 apply_inertia(const BodyState& body, Quat orientation, Vec3 omega);
Vec3 apply_inverse_inertia(const BodyState& body, Quat orientation, Vec3 angular_momentum);
// f / M; nothing along an axis that is not free.
Vec3 apply_inverse_mass(const BodyState& body, Vec3 force);

// v*, omega* and the angular momentum of a step before its solve [eq. 3.12]; `force` and `torque` are explicit ones.
struct BodyPrediction {
  Vec3 velocity, angular_velocity, angular_momentum;
};
// Paper mode predicts omega* with the gyroscopic term [eq. 3.12b]; robust mode from the angular momentum,
// omega* = I(t)^-1 (L + tau T), which keeps it exact for bodies that are not cubes, too.
BodyPrediction predict_body(const BodyState& body, SolverMode mode, Vec3 gravity, Vec3 force, Vec3 torque, double tau);

// To t + dt with what contact adds: `translation` and `rotation` in h and radians per step, `angular_momentum` of the
// torque behind that rotation. Paper mode is appendix B; robust mode turns by the angular velocity of the half step,
// and the body moves by mean_over_step of its velocity under gravity and its own force and torque.
void integrate_body(BodyState& body, SolverMode mode, Vec3 gravity, const BodyPrediction& predicted, Vec3 translation,
                    Vec3 rotation, Vec3 angular_momentum, double tau);

}  // namespace sluice::reference
