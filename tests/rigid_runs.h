// Runs of rigid bodies and what is read off them.
#pragma once

#include <string>
#include <vector>

#include "tests/reference/rigid_scenes.h"
#include "tests/scene_builders.h"

namespace sluice::tests {

inline constexpr double kGravity = 9.81;  // m/s^2
inline constexpr double kSpacing = 0.02;  // m, of all scenes here
inline constexpr double kDegree = 0.017453292519943295;

// lavapipe without validation layers, which cost a long run a third of its time.
Gpu& quiet_lavapipe();

struct Recording {
  std::vector<StepRecord> steps;
  std::vector<Frame> frames;  // the start, then one every `interval` seconds
};
Recording record(Gpu& gpu, Scene scene, double end, double interval);

// Turns gravity, so that down a slope of `degrees` is +x and the floor stays level.
void lean(Scene& scene, double degrees);

// Replaces the floor by samples at y = 0, where from_x <= x <= to_x and |z| <= half_width, in h. The lattice is turned
// by 20 degrees about y, because two aligned lattices interlock.
void lay_strip(Scene& scene, double from_x, double to_x, double half_width, Vec3 velocity = {});

// A box that rests on a strip, about to move along +x.
Scene box_on_strip(reference::BoxSamples samples, double friction, double slope, double length_in_h);

// An object of a scene file ("shape", and perhaps "rotation") of 1000 kg/m^3 at rest on a strip.
Scene shape_on_strip(const std::string& keys, double friction, double slope, double length_in_h);

// Height of the lowest sample of any body, h.
double lowest_sample(const Frame& frame);
// Of all bodies, m/s.
double highest_speed(const Frame& frame);

// Slope of the line of least squares through body `b`'s speeds along +x, m/s^2.
double fitted_acceleration(const std::vector<Frame>& frames, double from, double to, std::size_t b = 0);

// The farthest that any body is from where it was at `from`, h.
double largest_drift(const std::vector<Frame>& frames, double from);
// Of all bodies from `from` on, m/s.
double largest_speed(const std::vector<Frame>& frames, double from);

std::string text_of(double value);  // four digits

}  // namespace sluice::tests
