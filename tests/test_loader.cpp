// What the program says of a Vulkan loader or driver that is absent, damaged, or fails in the middle.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/io/atomic_file.h"
#include "host/vulkan/device.h"
#include "tests/program.h"

#ifndef SLUICE_LOADERS
#define SLUICE_LOADERS "build/release/loaders"
#endif
#ifndef SLUICE_SOURCE_DIR
#define SLUICE_SOURCE_DIR "."
#endif

namespace sluice::tests {
namespace {

namespace fs = std::filesystem;

const char* kScene = R"({ "particleSpacing": 0.05, "time": { "end": 0.008, "maxStep": 0.004 },
  "output": { "frameRate": 250 }, "materials": { "water": { "type": "fluid" } },
  "objects": [ { "name": "water", "role": "fluid", "material": "water", "shape": { "box": [0.2, 0.2, 0.2] } } ] })";

// Environment of the program; the test's own stays.
class Environment {
 public:
  explicit Environment(std::vector<std::pair<std::string, std::string>> values) {
    // What cannot be destroyed for want of a function leaks.
    const char* sanitizer = std::getenv("ASAN_OPTIONS");
    values.push_back({"ASAN_OPTIONS", (sanitizer ? std::string(sanitizer) + ":" : "") + "detect_leaks=0"});
    for (const auto& [name, value] : values) {
      const char* now = std::getenv(name.c_str());
      before_.push_back({name, now ? now : ""});
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : before_)
      value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;

 private:
  std::vector<std::pair<std::string, std::string>> before_;
};

struct LoaderFolder : TestFolder {
  LoaderFolder() { io::write_file(path / "scene.json", kScene); }
  Result run(std::vector<std::string> more = {"--no-picture"}) const {
    std::vector<std::string> words{"run",     (path / "scene.json").string(), "-o", (path / "out").string(), "--device",
                                   "llvmpipe"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(*this, words);
  }
};

// One sentence, no crash, exit code 1.
void check_failed(const Result& result, const std::string& part) {
  CAPTURE(result.err);
  CHECK(result.code == 1);
  CHECK(contains(result.err, "sluice: "));
  CHECK(contains(result.err, part));
}

std::string loader(const char* name) { return std::string(SLUICE_LOADERS) + "/" + name; }

TEST_CASE("a Vulkan loader that is absent, empty or without drivers is a sentence with the remedy") {
  const LoaderFolder folder;
  const auto fails = [&](std::vector<std::pair<std::string, std::string>> environment, const std::string& part) {
    CAPTURE(part);
    const Environment changed(std::move(environment));
    check_failed(run_program(folder, {"devices"}), part);
    check_failed(folder.run(), part);
    CHECK_FALSE(fs::exists(folder.path / "out"));
  };
  fs::create_directory(folder.path / "damaged");
  for (const char* name : {"libvulkan.so.1", "libvulkan.so"})
    io::write_file(folder.path / "damaged" / name, "no library");
  fails({{"LD_LIBRARY_PATH", (folder.path / "damaged").string()}}, "no Vulkan loader can be opened (");
  fails({{"LD_LIBRARY_PATH", loader("empty_loader")}}, "it lacks vkGetInstanceProcAddr; check LD_LIBRARY_PATH");
  fails({{"VK_DRIVER_FILES", "/dev/null"}, {"VK_ICD_FILENAMES", "/dev/null"}, {"VK_ADD_DRIVER_FILES", ""}},
        "no Vulkan driver is installed; on Debian: apt-get install mesa-vulkan-drivers");
}

TEST_CASE("a function that the loader or the driver lacks is named") {
  const LoaderFolder folder;
  for (const char* name : {"vkCreateInstance", "vkEnumerateInstanceExtensionProperties", "vkEnumeratePhysicalDevices",
                           "vkGetPhysicalDeviceFeatures2", "vkDestroyInstance", "vkGetDeviceProcAddr"}) {
    const Environment changed(
        {{"LD_LIBRARY_PATH", loader("faulty_loader")}, {"SLUICE_FAULT", std::string(name) + " missing"}});
    check_failed(run_program(folder, {"devices"}), std::string("lacks ") + name);
  }
  for (const char* name : {"vkQueueSubmit2", "vkGetBufferDeviceAddress", "vkDestroyDevice", "vkCmdDispatchIndirect"}) {
    const Environment changed(
        {{"LD_LIBRARY_PATH", loader("faulty_loader")}, {"SLUICE_FAULT", std::string(name) + " missing"}});
    check_failed(folder.run(), std::string("no Vulkan 1.3 functions, such as ") + name);
    CHECK_FALSE(fs::exists(folder.path / "out"));
  }
}

struct Fault {
  const char* function;
  int call, result;
  const char* part;
};

TEST_CASE("a call of the driver's that fails before the run begins is a sentence, and nothing is touched") {
  const LoaderFolder folder;
  const std::vector<Fault> faults{
      {"vkCreateInstance", 1, -1, "out of host memory"},
      {"vkCreateInstance", 1, -3, "vkCreateInstance: initialization failed"},
      {"vkCreateInstance", 1, -9, "no Vulkan driver is installed"},
      {"vkEnumeratePhysicalDevices", 1, -3, "vkEnumeratePhysicalDevices: initialization failed"},
      {"vkEnumeratePhysicalDevices", 2, 5, "vkEnumeratePhysicalDevices"},
      {"vkCreateDevice", 1, -3, "vkCreateDevice: initialization failed"},
      {"vkCreateDevice", 1, -4, "vkCreateDevice: the device was lost"},
      {"vkCreateBuffer", 1, -2, "vkCreateBuffer: out of device memory"},
      {"vkAllocateMemory", 1, -2, "vkAllocateMemory: out of device memory"},
      {"vkAllocateMemory", 30, -2, "vkAllocateMemory: out of device memory"},
      {"vkAllocateMemory", 1, -10, "vkAllocateMemory: too many objects"},
      {"vkBindBufferMemory", 1, -1, "vkBindBufferMemory: out of host memory"},
      {"vkMapMemory", 1, -5, "vkMapMemory: memory cannot be mapped"},
      {"vkCreateCommandPool", 1, -1, "vkCreateCommandPool"},
      {"vkAllocateCommandBuffers", 1, -1, "vkAllocateCommandBuffers"},
      {"vkCreateFence", 1, -1, "vkCreateFence"},
      {"vkBeginCommandBuffer", 1, -1, "vkBeginCommandBuffer"},
      {"vkEndCommandBuffer", 1, -1, "vkEndCommandBuffer"},
      {"vkQueueSubmit2", 1, -4, "vkQueueSubmit2: the device was lost"},
      {"vkWaitForFences", 1, -4, "vkWaitForFences: the device was lost"},
      {"vkResetFences", 1, -2, "vkResetFences"},
      {"vkCreateQueryPool", 1, -2, "vkCreateQueryPool"},
      {"vkCreatePipelineLayout", 1, -1, "vkCreatePipelineLayout"},
      {"vkCreatePipelineCache", 1, -1, "vkCreatePipelineCache"},
      {"vkCreateShaderModule", 1, -1, "vkCreateShaderModule"},
      {"vkCreateComputePipelines", 9, -2, "vkCreateComputePipelines for "},
      {"vkCreateDescriptorSetLayout", 1, -1, "vkCreateDescriptorSetLayout"},
      {"vkCreateDescriptorPool", 1, -1, "vkCreateDescriptorPool"},
      {"vkAllocateDescriptorSets", 1, -12, "vkAllocateDescriptorSets"},
      {"vkCreateBufferView", 3, -2, "vkCreateBufferView"},
  };
  for (const Fault& fault : faults) {
    const std::string text =
        std::string(fault.function) + " " + std::to_string(fault.call) + " " + std::to_string(fault.result);
    CAPTURE(text);
    const Environment changed({{"LD_LIBRARY_PATH", loader("faulty_loader")}, {"SLUICE_FAULT", text}});
    check_failed(folder.run(), fault.part);
    CHECK_FALSE(fs::exists(folder.path / "out"));
  }
}

TEST_CASE("a device that is lost in a run leaves what was complete, and the sentence says so") {
  // The later the call, the more is complete; one past the run's end changes nothing.
  int lost_at_work = 0;
  bool done = false;
  for (int call = 8; !done && call < 4096; call *= 2) {
    const LoaderFolder folder;
    const Environment changed({{"LD_LIBRARY_PATH", loader("faulty_loader")},
                               {"SLUICE_FAULT", "vkWaitForFences " + std::to_string(call) + " -4"}});
    const Result result = folder.run();
    CAPTURE(call);
    CAPTURE(result.err);
    done = result.code == 0;
    if (done) break;
    check_failed(result, "the device was lost (a driver fault or a watchdog reset)");
    if (!fs::exists(folder.path / "out")) continue;
    ++lost_at_work;
    CHECK(contains(result.err, "sluice: the run failed; what is complete"));
    CHECK(read_json(folder.path / "out" / "run.json").at("status") == "failed");
  }
  CHECK(done);
  CHECK(lost_at_work > 0);
}

TEST_CASE("pictures that the driver cannot make are a sentence") {
  for (const char* function :
       {"vkCreateImage", "vkBindImageMemory", "vkCreateImageView", "vkCreateSampler", "vkCreateGraphicsPipelines"}) {
    CAPTURE(function);
    const LoaderFolder folder;
    const Environment changed(
        {{"LD_LIBRARY_PATH", loader("faulty_loader")}, {"SLUICE_FAULT", std::string(function) + " 1 -2"}});
    check_failed(folder.run({}), function);
  }
}

// All functions of devices that sources under these folders call.
std::set<std::string> called_in(const std::vector<std::string>& folders) {
  std::set<std::string> names;
  const std::regex call(R"(\b(?:vk|functions)\.(vk[A-Z]\w*)\()");
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SLUICE_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".h") continue;
      const std::string text = io::read_file(entry.path());
      for (std::sregex_iterator match(text.begin(), text.end(), call), end; match != end; ++match)
        names.insert((*match)[1]);
    }
  }
  return names;
}

TEST_CASE("every function that is called is one that the device was asked for") {
#define X(name) #name,
  std::set<std::string> engine{SLUICE_DEVICE_FUNCTIONS(X) SLUICE_INSTANCE_FUNCTIONS(X) SLUICE_DEBUG_FUNCTIONS(X)};
  const std::set<std::string> drawing{SLUICE_DRAWING_FUNCTIONS(X)};
#undef X
  const std::set<std::string> called = called_in({"host/vulkan", "engine"});
  CHECK(called.size() > 40);
  for (const std::string& name : called) CHECK_MESSAGE(engine.contains(name), name);
  engine.insert(drawing.begin(), drawing.end());
  for (const std::string& name : called_in({"host", "engine", "tools"})) CHECK_MESSAGE(engine.contains(name), name);
}

}  // namespace
}  // namespace sluice::tests
