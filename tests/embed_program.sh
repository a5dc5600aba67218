#!/usr/bin/env bash
# Installs the engine, builds tools/embed against the installed copy alone, and runs it for 500 frames on both drivers
# with core and synchronization validation: it fails at the first message. The C program must make the bits of sluice run.
#   tests/embed_program.sh BUILD
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${VK_ADD_DRIVER_FILES:=/usr/lib/chromium/vk_swiftshader_icd.json}"
export VK_ADD_DRIVER_FILES

cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -S "$source/tools/embed" -B "$work/embed" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/embed" >/dev/null

# A project in C alone links it too.
mkdir "$work/c"
cat >"$work/c/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(only_c LANGUAGES C)
find_package(Sluice REQUIRED)
find_package(Vulkan REQUIRED)
add_executable(only_c ${EMBED}/main.c)
target_link_libraries(only_c PRIVATE Sluice::io Vulkan::Vulkan)
CMAKE
cmake -S "$work/c" -B "$work/c/build" -G Ninja -DEMBED="$source/tools/embed" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/c/build" >/dev/null

cat >"$work/scene.json" <<'SCENE'
{ "particleSpacing": 0.05,
  "time": { "end": 0.1, "maxStep": 0.004 },
  "materials": { "water": { "type": "fluid", "density": 1000, "viscosity": 0.005 },
                 "oak": { "type": "rigid", "density": 700, "friction": 0.4 } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [0.6, 0.4, 0.25], "open": "top" }, "position": [0, 0.2, 0] },
    { "name": "water", "role": "fluid", "material": "water", "shape": { "box": [0.2, 0.3, 0.25] },
      "position": [-0.2, 0.15, 0] },
    { "name": "box", "role": "rigid", "material": "oak", "shape": { "box": [0.15, 0.1, 0.15] },
      "position": [0.15, 0.05, 0] } ],
  "output": { "frameRate": 60 } }
SCENE
for driver in llvmpipe SwiftShader; do
  "$work/embed/embed" "$work/scene.json" --frames 500 --speed 0.2 --device "$driver" --validate --out "$work/$driver.png"
  [ -s "$work/$driver.png" ]
done

"$work/prefix/bin/sluice" run "$work/scene.json" --device llvmpipe --output "$work/run" >/dev/null
expected=$(awk -F, '$(NF-1) == 6 { print $NF }' "$work/run/stats.csv")
[ -n "$expected" ]
for driver in llvmpipe SwiftShader; do
  said=$("$work/embed/embed_c" "$work/scene.json" 6 "$driver")
  echo "$said"
  [ "${said##* }" = "$expected" ] || { echo "sluice run has $expected" >&2; exit 1; }
done
