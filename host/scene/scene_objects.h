// The parts of a scene's objects, read and checked; problems go to the reader.
#pragma once

#include "host/scene/json_reader.h"
#include "host/scene/scene_file.h"

namespace sluice::io {

// Leaves `out` alone where the key "name" is absent or its value cannot be part of file names.
void read_name(Reader& reader, const Spot& object, std::string& out);
bool is_good_name(std::string_view name);
// A sentence if the name, with this much after it, is too long for file names; else empty.
std::string name_too_long(std::string_view name, std::size_t suffix = 0);
extern const char* const kNameRule;  // what is_good_name asks for, as the end of a sentence

// What is known about a key that does not belong where it stands, for Reader::elsewhere.
std::string key_elsewhere(std::string_view key, bool near);

void read_objects(Reader& reader, const Spot& scene, SceneFile& file);
void read_shape(Reader& reader, const Spot& object, Role role, const std::filesystem::path& folder, Shape& out);

// Which of the scene's objects it is.
std::size_t index_of(const Object& object);

// What numbers must satisfy together, once all have been read.
void check_together(Reader& reader, const Spot& scene, const SceneFile& file);

// Leaves `out` alone where the key is absent or its value wrong.
void read_optional(Reader& reader, const Spot& object, std::string_view key, Range range, std::optional<double>& out);

// The keys of a rigid object beside its place and shape.
void read_rigid(Reader& reader, const Spot& object, Object& out);

// The table of friction between materials, which have been read. Nothing is said of the names in `unclear`.
void read_pairs(Reader& reader, const Spot& scene, SceneFile& file, const std::vector<std::string>& unclear);

}  // namespace sluice::io
