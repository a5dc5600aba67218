#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "tools/sluice/commands.h"

namespace sluice::program {

namespace {

// Of boundary boxes, whose samples are the most that a scene has; before any is made.
void tell_of_many_samples(const io::SceneFile& file) {
  constexpr double kMany = 2e7;  // a minute and 3 GB
  double all = 0, most = 0;
  std::string whose;
  for (const io::Object& object : file.objects) {
    if (object.role != io::Role::boundary || object.shape.kind != io::ShapeKind::box) continue;
    const Vec3 box = (1 / file.spacing) * object.shape.box;
    const double count = 2 * 2 * (box.x * box.y + box.y * box.z + box.z * box.x);  // two layers
    all += count;
    if (count > most) most = count, whose = object.name;
  }
  if (all > kMany)
    std::fprintf(stderr,
                 "the boundaries will have about %.0f million samples, most of them \"%s\": that takes long and much "
                 "memory; is it so large, in metres? Else use a smaller one, or a larger particleSpacing\n",
                 1e-6 * all, whose.c_str());
}

}  // namespace

LoadedScene load_scene(const std::filesystem::path& path, double until) {
  // These errors begin with the file, and the line where there is one, as compilers' do.
  return or_exit(kWrongInput, "", [&] {
    LoadedScene loaded;
    loaded.file = io::read_scene_file(path);
    if (until > 0) loaded.file.time.end = until;
    tell_of_many_samples(loaded.file);
    loaded.scene = io::build_scene(loaded.file, loaded.report);
    return loaded;
  });
}

std::uint32_t frame_count(const TimeSettings& time) {
  return static_cast<std::uint32_t>(std::max(1.0, std::floor(time.end / time.frame_interval + 0.5)));
}

}  // namespace sluice::program
