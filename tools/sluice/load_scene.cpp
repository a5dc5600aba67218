#include <algorithm>
#include <cmath>

#include "tools/sluice/commands.h"

namespace sluice::program {

LoadedScene load_scene(const std::filesystem::path& path, double until) {
  // These errors begin with the file, and the line where there is one, as compilers' do.
  return or_exit(kWrongInput, "", [&] {
    LoadedScene loaded;
    loaded.file = io::read_scene_file(path);
    if (until > 0) loaded.file.time.end = until;
    loaded.scene = io::build_scene(loaded.file, loaded.report);
    return loaded;
  });
}

std::uint32_t frame_count(const TimeSettings& time) {
  return static_cast<std::uint32_t>(std::max(1.0, std::floor(time.end / time.frame_interval + 0.5)));
}

}  // namespace sluice::program
