#include "tests/gpu.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "engine/gpu_device.h"
#include "tests/reference/rigid.h"
#include "tests/reference/scenes.h"

namespace sluice::tests {
namespace {

// Debian's chromium package brings SwiftShader; its ICD file is not in the loader's search path.
constexpr const char* kSwiftShaderIcd = "/usr/lib/chromium/vk_swiftshader_icd.json";

// The pipelines go before the device that made them.
struct TestDevice {
  Gpu gpu;
  std::map<std::pair<std::uint32_t, bool>, std::unique_ptr<vulkan::Pipelines>> pipelines;
};

// By name, validation and whether it draws.
using TestDevices = std::map<std::tuple<std::string, Validation, bool>, std::unique_ptr<TestDevice>>;
TestDevices& test_devices() {
  static TestDevices devices;
  return devices;
}

TestDevice& test_device(const GpuOptions& options) {
  std::unique_ptr<TestDevice>& device = test_devices()[{options.device, options.validation, options.draws}];
  if (device) return *device;
  if (!std::getenv("VK_ADD_DRIVER_FILES") && std::filesystem::exists(kSwiftShaderIcd)) {
    ::setenv("VK_ADD_DRIVER_FILES", kSwiftShaderIcd, 0);
  }
  try {
    device.reset(new TestDevice{Gpu::create(options), {}});
  } catch (const Error& error) {
    throw Error("the tests need the device " + options.device +
                " (apt-get install mesa-vulkan-drivers chromium vulkan-validationlayers): " + error.what());
  }
  return *device;
}

std::uint32_t word_at(const std::vector<std::vector<std::uint32_t>>& pages, const State& state, std::uint32_t row,
                      std::uint32_t entry, std::uint32_t interleave) {
  const std::uint32_t in_page = row & ((1u << state.sizes.page_shift) - 1);
  const std::uint32_t lane = in_page % interleave;
  const std::uint32_t first = (in_page - lane) * state.sizes.row_capacity + lane * gpu::kRowBlock;
  return pages[row >> state.sizes.page_shift]
              [first + entry / gpu::kRowBlock * gpu::kRowBlock * interleave + entry % gpu::kRowBlock];
}

}  // namespace

Gpu& kept_gpu(const GpuOptions& options) { return test_device(options).gpu; }
void release_gpus() { test_devices().clear(); }

Gpu& lavapipe() { return kept_gpu({.device = "llvmpipe", .validation = Validation::core}); }
Gpu& swiftshader() { return kept_gpu({.device = "SwiftShader", .validation = Validation::core}); }
std::vector<Gpu*> drivers() { return {&lavapipe(), &swiftshader()}; }

MessageGuard::MessageGuard(Gpu& gpu_in) : gpu(gpu_in) { gpu.take_validation_messages(); }
MessageGuard::~MessageGuard() {
  for (const std::string& message : gpu.take_validation_messages()) {
    const std::string sentence = gpu.info().name + " says: " + message;
    FAIL_CHECK(sentence);
  }
}

const vulkan::Pipelines& shared_pipelines(Gpu& gpu, std::uint32_t row_interleave, bool sort_by_runs) {
  TestDevice& owner =
      test_device({.device = &gpu == &lavapipe() ? "llvmpipe" : "SwiftShader", .validation = Validation::core});
  std::unique_ptr<vulkan::Pipelines>& pipelines = owner.pipelines[{row_interleave, sort_by_runs}];
  if (!pipelines) {
    const std::vector<vulkan::PipelineSource> sources = pipeline_sources(ShaderVariant::strict);
    const std::vector<vulkan::SpecConstant> constants{{gpu::kSpecGroupSize, gpu::kGroup},
                                                      {gpu::kSpecRowInterleave, row_interleave},
                                                      {gpu::kSpecSortByRuns, sort_by_runs ? 1u : 0u}};
    pipelines = std::make_unique<vulkan::Pipelines>(device_of(gpu), sources, constants, std::filesystem::path{});
  }
  return *pipelines;
}

std::uint32_t Random::word() {
  const std::uint64_t old = state;
  state = old * 6364136223846793005u + 1442695040888963407u;
  const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
  return std::rotr(shifted, static_cast<int>(old >> 59));
}

Vec3 Random::next_vec() {
  const double x = next() - 0.5, y = next() - 0.5, z = next() - 0.5;
  return {x, y, z};
}

Rig::Rig(Gpu& gpu, const Scene& scene, const SimulationOptions& options, std::uint32_t interleave)
    : device(device_of(gpu)),
      row_interleave(interleave),
      pipelines(shared_pipelines(gpu, interleave)),
      state(device_of(gpu), scene, options) {}

gpu::Control Rig::control() { return vulkan::download(device, state.control, 1)[0]; }
void Rig::set_control(const gpu::Control& control) {
  vulkan::upload<gpu::Control>(device, state.control, {&control, 1});
}
void Rig::set_params(const gpu::Params& params) {
  state.params_host = params;
  vulkan::upload<gpu::Params>(device, state.params, {&params, 1});
}

std::vector<FoundRow> Rig::found_rows(std::uint64_t first, std::uint64_t count) {
  const auto heads = vulkan::download(device, state.row_head, first + count);
  const auto pool = vulkan::download(device, state.spill_pool, state.spill_pool.count);
  std::vector<std::vector<std::uint32_t>> pages;
  for (const auto& page : state.row_pages) pages.push_back(vulkan::download(device, page, page.count));
  const auto bits = [](std::uint32_t word, std::uint32_t at, std::uint32_t length) {
    return (word >> at) & ((1u << length) - 1);
  };
  std::vector<FoundRow> rows(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const gpu::uvec2 head = heads[first + i];
    const std::uint32_t fluid = bits(head.x, 0, gpu::kFluidCountBits);
    const std::uint32_t rigid = fluid + bits(head.x, gpu::kFluidCountBits, gpu::kRigidCountBits);
    const std::uint32_t end = rigid + (head.x >> (gpu::kFluidCountBits + gpu::kRigidCountBits));
    for (std::uint32_t k = 0; k < end; ++k) {
      const std::uint32_t entry = end > state.sizes.row_capacity
                                      ? pool.at(head.y * gpu::kSpillBlock + k)
                                      : word_at(pages, state, static_cast<std::uint32_t>(first) + i, k, row_interleave);
      (k < fluid ? rows[i].fluid : k < rigid ? rows[i].rigid : rows[i].boundary).push_back(entry);
    }
  }
  return rows;
}

std::vector<FoundRow> Rig::rows() { return found_rows(0, particles()); }
std::vector<FoundRow> Rig::sample_rows() { return found_rows(state.sizes.sample_row, state.sizes.rigid.samples); }

Vec3 position_in_h(const gpu::uvec4& position, std::uint32_t packed_wraps) {
  const auto wraps = unpack_wraps(packed_wraps);
  const auto axis = [](std::uint32_t word, std::int32_t wrap) { return (wrap * 4294967296.0 + word) / 524288.0; };
  return {axis(position.x, wraps[0]), axis(position.y, wraps[1]), axis(position.z, wraps[2])};
}

reference::Fluid Rig::fluid() {
  const auto position = vulkan::download(device, state.position, particles());
  const auto low = vulkan::download(device, state.low, particles());
  const auto sorted_velocity = vulkan::download(device, state.velocity, particles());
  const auto velocity = vulkan::download(device, state.stored_velocity, particles());
  std::vector<std::uint32_t> by_id(velocity.size());
  for (std::uint32_t i = 0; i < velocity.size(); ++i) by_id[velocity[i].w] = i;
  reference::Fluid fluid;
  for (std::uint32_t i = 0; i < position.size(); ++i) {
    const gpu::uvec4& v = velocity[by_id[sorted_velocity[i].w]];
    const gpu::Material& material = state.params_host.materials[unpack_material(low[i].w)];
    fluid.position.push_back(position_in_h(position[i], low[i].w));
    fluid.velocity.push_back({std::bit_cast<float>(v.x), std::bit_cast<float>(v.y), std::bit_cast<float>(v.z)});
    fluid.mass.push_back(material.mass);
    fluid.viscosity.push_back(static_cast<double>(material.viscosity) / material.mass);
  }
  return fluid;
}

reference::Boundary Rig::boundary() {
  const auto samples = vulkan::download(device, state.boundary, state.sizes.boundary);
  const auto bodies = vulkan::download(device, state.boundary_body, state.sizes.bodies);
  const double tau = control().tau;
  reference::Boundary boundary;
  for (const gpu::uvec4& sample : samples) {
    const gpu::BodyState& body = bodies[sample.w >> 16];
    const Vec3 x = position_in_h(sample, 0);
    boundary.position.push_back(x);
    boundary.weight.push_back((sample.w & 0xffff) / 16384.0);
    const Vec3 arm = x - position_in_h(body.position, body.low.w);
    const Vec3 spin = to_vec(body.spin), velocity = to_vec(body.velocity);
    const bool moves = body.velocity.w != 0;
    boundary.velocity.push_back(moves ? velocity + cross(spin, arm) : Vec3{});
    boundary.chord.push_back(boundary.velocity.back());
    boundary.approach.push_back(boundary.velocity.back());
    boundary.turn.push_back(tau * spin);
    boundary.bow.push_back({});
    if (!moves || state.params_host.paper_mode != 0) continue;
    const Quat turn = reference::turn_by(tau * spin);
    boundary.turn.back() = 2 * turn.w * Vec3{turn.x, turn.y, turn.z};
    boundary.bow.back() = {turn.x, turn.y, turn.z};
    boundary.chord.back() = boundary.approach.back() = velocity + 1 / tau * (rotate(turn, arm) - arm);
    if (body.round_axis.w == gpu::kRoundNone) continue;
    const auto quat = [](const gpu::vec4& q) { return Quat{q.w, q.x, q.y, q.z}; };
    const Revolution round{body.round_axis.w == gpu::kRoundBall ? Roundness::ball : Roundness::axis,
                           to_vec(body.round_axis), to_vec(body.round_center)};
    const Quat q = quat(body.orientation), samples = quat(body.sample_orientation), next = turn * q;
    const Quat then = reference::turned_samples(round, samples, q, next, tau * spin);
    const Vec3 center = rotate(q, round.center), place = rotate(reference::conjugate(samples), arm - center);
    const Vec3 after = rotate(next, round.center) + rotate(then, place);
    boundary.approach.back() = velocity + 1 / tau * (after - arm);
  }
  return boundary;
}

reference::Neighbors Rig::neighbors() {
  reference::Neighbors neighbors;
  for (const FoundRow& row : rows()) {
    auto& [fluid, boundary] = neighbors;
    fluid.index.insert(fluid.index.end(), row.fluid.begin(), row.fluid.end());
    fluid.start.push_back(static_cast<std::uint32_t>(fluid.index.size()));
    boundary.index.insert(boundary.index.end(), row.boundary.begin(), row.boundary.end());
    boundary.start.push_back(static_cast<std::uint32_t>(boundary.index.size()));
  }
  return neighbors;
}

Scene shaken_cloud(int count) {
  constexpr double kSpacing = 0.02;
  Scene scene;
  scene.name = "shaken cloud";
  scene.spacing = kSpacing;
  scene.time.max_step = 0.001;
  scene.materials = {{"water", 1000, 0.01}, {"oil", 700, 0.03}};
  const int side = std::max(1, static_cast<int>(std::ceil(std::cbrt(count) - 1e-9)));
  Random random;
  for (int i = 0; i < count; ++i) {
    const Vec3 cell{double(i % side), double(i / side / side), double(i / side % side)};
    FluidParticle particle;
    particle.position = kSpacing * (cell + 0.4 * random.next_vec());
    particle.velocity = 0.6 * random.next_vec();
    particle.material = random.next() < 0.4 ? 1 : 0;
    scene.fluid.push_back(particle);
  }
  scene.bodies = {{"floor", {}, {}, {}}, {"wall", kSpacing * Vec3{side + 0.2, 1, 1}, {-0.3, 0.1, 0}, {6, 15, -30}}};
  for (int a = -1; a <= side; ++a) {
    for (int b = -1; b <= side; ++b) {
      scene.boundary.push_back({kSpacing * Vec3{double(a), -1, double(b)}, 0.9, 0});
      scene.boundary.push_back({kSpacing * Vec3{side + 0.2, double(a), double(b)}, 1.1, 1});
    }
  }
  return scene;
}

Scene stirred_column() {
  Scene scene = reference::water_column(6, 8, 0.01);
  const double h = scene.spacing;
  scene.bodies.push_back({"paddle", h * Vec3{3.5, 9.2, 3.5}, {0.05, -0.1, 0}, {0, 30, 5}});
  for (int x = 0; x < 4; ++x) {
    for (int z = 0; z < 3; ++z) scene.boundary.push_back({h * Vec3{x + 2.0, 9.2, z + 2.5}, 1.0, 1});
  }
  Random random;
  for (FluidParticle& particle : scene.fluid) particle.velocity = 0.2 * random.next_vec();
  return scene;
}

}  // namespace sluice::tests
