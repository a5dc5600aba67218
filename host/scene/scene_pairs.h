// Materials of solid objects: which one an object has, and what friction that and the table of pairs make of bodies.
#pragma once

#include <vector>

#include "host/scene/scene_file.h"

namespace sluice::io {

// Throws Error if the object's material is no rigid one.
const RigidMaterial& rigid_material_of(const SceneFile& file, const Object& object);

// By the place of a material among the names in "pairs", in their order; 0 for one that stands in none, or for "".
std::uint32_t friction_class_of(const SceneFile& file, const std::string& material);
std::vector<FrictionPair> friction_pairs(const SceneFile& file);

// The friction and restitution of a boundary: its own before its material's before none.
void set_surface(const SceneFile& file, const Object& boundary, Body& body);

}  // namespace sluice::io
