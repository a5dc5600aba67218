// What is worth knowing before a run: that it ends elsewhere, takes very long, or falls for ever.
#pragma once

#include <string>
#include <vector>

#include "sluice/scene.h"

namespace sluice::io {

// A sentence each, where it applies.
void warn_falling(const Scene& scene, std::vector<std::string>& warnings);
void warn_end_between_frames(const Scene& scene, std::vector<std::string>& warnings);
void warn_many_steps(const Scene& scene, std::vector<std::string>& warnings);  // of the length that is asked for
void warn_endless(const Scene& scene, std::vector<std::string>& warnings);  // by speeds at the start
void warn_viscous(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace sluice::io
