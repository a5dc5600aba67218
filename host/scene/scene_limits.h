// Limits of a scene file's numbers, SI units: those of sluice/scene.h, and of what only files have.
// scenes/scene.schema.json repeats them (a test compares the two). They are wider than anything that can be simulated,
// and keep squares, ratios and counts within the range of a double and a device.
#pragma once

#include <cstddef>

#include "host/scene/json_reader.h"
#include "sluice/scene.h"

namespace sluice::io {

constexpr Range kLength{kMinSpacing, kMaxSpacing};                   // m, and of the factors of a mesh
constexpr Range kVector{-kMaxSpeed, kMaxSpeed};                      // m, m/s, m/s^2, rad/s, and of an axis
constexpr Range kForce{-1e18, 1e18};                                 // N, N m
constexpr Range kMass{1e-18, 1e18};                                  // kg
constexpr Range kMoment{-1e18, 1e18};                                // kg m^2
constexpr double kLeastMoment = 1e-30;                               // kg m^2, about an axis
constexpr Range kDensity{kMinDensity, kMaxDensity};                  // kg/m^3
constexpr Range kViscosity{0, kMaxViscosity};                        // m^2/s
constexpr Range kFriction{0, kMaxFriction};                          // coefficient
constexpr Range kRestitution{0, 1};                                  // share of a speed
constexpr Range kGravityScale{-kMaxGravityScale, kMaxGravityScale};  // factor
constexpr Range kAngle{-1e9, 1e9};                                   // degrees
constexpr Range kTime{kMinStep, kMaxTime};                           // s
constexpr Range kCfl{kMinCfl, 1e9};                                  // spacings a step
constexpr Range kFrameRate{1e-9, 1e9};                               // 1/s
constexpr Range kTolerance{1e-9, kMaxTolerance};                     // kappa
constexpr Range kSpeed{0, kMaxSpeed};                                // m/s
constexpr Range kRelaxation{0.001, 2, true, false};
constexpr Range kGamma{0.001, 1, true, false};
constexpr Range kShare{0, 1, true, false};
constexpr Range kLoadSharing{0, 1};
constexpr Range kColourValue{-1e30, 1e30};
constexpr Range kDegreesOfView{1, 150};
constexpr int kMaxCopies = 1000000;

constexpr double kFarthestPlace = 1e9;  // spacings from the origin: a double still tells 1e-7 of a spacing

}  // namespace sluice::io
