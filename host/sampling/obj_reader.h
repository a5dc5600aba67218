// Wavefront OBJ files, as far as a mesh needs them: vertices, and faces that name them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "sluice/scene.h"

namespace sluice::io {

struct ObjFaces {
  std::vector<Vec3> vertices;          // m times the scale that a scene may give
  std::vector<std::size_t> lines;      // of the vertices
  std::vector<std::uint32_t> corners;  // vertices of the faces, face after face
  std::vector<std::size_t> ends;       // in `corners`, one behind each face's last
};

// Reads the `v` and `f` statements and leaves out all others, and faces of fewer than three corners. Vertices may
// follow the faces that name them; a line may go on behind a backslash; indices of textures and normals are ignored,
// given or not. Numbers are rounded correctly on every machine. Throws Error, which names the file and the line, on
// text in UTF-16, a NUL byte, a coordinate that is no finite number below 1e30, and a face that cannot be read or
// names a vertex that is not there; on files of other formats, which it names, and where there is no vertex or no face.
ObjFaces read_obj_faces(std::string_view text, const std::filesystem::path& path);

[[noreturn]] void fail_at(const std::filesystem::path& path, std::size_t line, const std::string& sentence);

}  // namespace sluice::io
