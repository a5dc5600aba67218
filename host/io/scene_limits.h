// Limits of a scene's numbers, SI units; scenes/scene.schema.json repeats them (a test compares the two). They are
// wider than anything that can be simulated, and keep squares, ratios and counts within the range of a double and a
// device.
#pragma once

#include <cstddef>

#include "host/io/json_reader.h"

namespace sluice::io {

constexpr Range kLength{1e-9, 1e9};        // m, and of the factors of a mesh
constexpr Range kVector{-1e9, 1e9};        // m, m/s, m/s^2, rad/s, and of an axis
constexpr Range kForce{-1e18, 1e18};       // N, N m
constexpr Range kMass{1e-18, 1e18};        // kg
constexpr Range kMoment{-1e18, 1e18};      // kg m^2
constexpr double kLeastMoment = 1e-30;     // kg m^2, about an axis
constexpr Range kDensity{1e-6, 1e9};       // kg/m^3
constexpr Range kViscosity{0, 1e9};        // m^2/s
constexpr Range kFriction{0, 1e9};         // coefficient
constexpr Range kGravityScale{-1e6, 1e6};  // factor
constexpr Range kAngle{-1e9, 1e9};         // degrees
constexpr Range kTime{1e-12, 1e9};         // s
constexpr Range kCfl{0.001, 1e9};          // spacings a step
constexpr Range kFrameRate{1e-9, 1e9};     // 1/s
constexpr Range kTolerance{1e-9, 1e6};     // kappa
constexpr Range kSpeed{0, 1e9};            // m/s
constexpr Range kRelaxation{0.001, 2, true, false};
constexpr Range kGamma{0.001, 1, true, false};
constexpr Range kShare{0, 1, true, false};
constexpr Range kColourValue{-1e30, 1e30};
constexpr Range kDegreesOfView{1, 150};
constexpr int kMaxIterations = 100000;
constexpr int kMaxCopies = 1000000;

constexpr std::size_t kMaxFluids = 32;         // materials of type "fluid"
constexpr std::size_t kMaxBoundaries = 65535;  // copies counted
constexpr std::size_t kMaxRigid = 1048575;     // copies counted
constexpr double kMaxFrames = 1e9;             // of a run
constexpr double kMaxFrameSteps = 1e6;         // steps of maxStep in a frame, and frames in such a step
constexpr double kFarthestPlace = 1e9;         // spacings from the origin: a double still tells 1e-7 of a spacing

}  // namespace sluice::io
