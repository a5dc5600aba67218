// A Vulkan program that owns its device, steps a Sluice simulation in its own command buffers, and draws the particles
// from the simulation's buffers: nothing of them is copied, and the host never sees one. It draws into an image, so
// that it runs without a window, and writes the last frame as a PNG.
//
//   embed SCENE.json [--frames 500] [--speed 1] [--device NAME] [--validate] [--out embed.png]
#include <vulkan/vulkan.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "particles_frag.h"
#include "particles_vert.h"
#include "sluice/embed.h"
#include "sluice/load_scene.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace {

constexpr std::uint32_t kWidth = 640, kHeight = 360;
constexpr VkFormat kColor = VK_FORMAT_R8G8B8A8_UNORM, kDepth = VK_FORMAT_D32_SFLOAT;
constexpr double kFrameSeconds = 1.0 / 60;
constexpr std::uint32_t kMostSteps = 16;  // a frame; a slow scene falls behind rather than stall the picture
constexpr int kInFlight = 2;              // as many as drawn state has sides

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + ": VkResult " + std::to_string(result));
}
#define CHECK(call) check(call, #call)

constexpr const char* kUsage =
    "usage: embed SCENE.json [--frames 500] [--speed 1] [--device NAME] [--validate] [--out embed.png]\n"
    "Steps the scene in this program's own command buffers, 60 frames a second, and writes the last as a picture.\n"
    "  --speed S     simulated seconds a second of frames\n"
    "  --device NAME part of a device's name; --validate: with the Vulkan validation layer\n"
    "Example: embed scenes/stack8.json --frames 30";

struct Options {
  std::string scene, device, out = "embed.png";
  int frames = 500;
  double speed = 1;  // simulated seconds in a second of the film
  bool validate = false;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (++i == argc) throw std::runtime_error(word + " needs a value");
      return std::string(argv[i]);
    };
    if (word == "--frames") {
      options.frames = std::stoi(value());
    } else if (word == "--speed") {
      options.speed = std::stod(value());
    } else if (word == "--device") {
      options.device = value();
    } else if (word == "--out") {
      options.out = value();
    } else if (word == "--validate") {
      options.validate = true;
    } else if (word == "--help" || word == "-h") {
      std::puts(kUsage);
      std::exit(0);
    } else if (word.starts_with("--") || !options.scene.empty()) {
      throw std::runtime_error("unknown option " + word);
    } else {
      options.scene = word;
    }
  }
  if (options.scene.empty()) throw std::runtime_error(kUsage);
  return options;
}

// --- The program's own device: what an engine has already ------------------------------------------------------------

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* count) {
  std::fprintf(stderr, "%s\n", data->pMessage);
  ++*static_cast<int*>(count);
  return VK_FALSE;
}

struct Device {
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t family = 0;
  int messages = 0;  // of the validation layers
};

void create_instance(Device& d, bool validate) {
  const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &synchronization;
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  const char* layer = "VK_LAYER_KHRONOS_validation";
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  VkInstanceCreateInfo create{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  create.pApplicationInfo = &application;
  if (validate) {
    create.pNext = &features;
    create.enabledLayerCount = 1;
    create.ppEnabledLayerNames = &layer;
    create.enabledExtensionCount = 2;
    create.ppEnabledExtensionNames = extensions;
  }
  CHECK(vkCreateInstance(&create, nullptr, &d.instance));
  if (!validate) return;
  VkDebugUtilsMessengerCreateInfoEXT listen{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  listen.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  listen.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  listen.pfnUserCallback = on_message;
  listen.pUserData = &d.messages;
  const auto create_messenger = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      vkGetInstanceProcAddr(d.instance, "vkCreateDebugUtilsMessengerEXT"));
  CHECK(create_messenger(d.instance, &listen, nullptr, &d.messenger));
}

void choose_physical_device(Device& d, const std::string& name) {
  std::uint32_t count = 0;
  vkEnumeratePhysicalDevices(d.instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(d.instance, &count, devices.data());
  std::string reasons;
  for (VkPhysicalDevice candidate : devices) {
    const sluice::DeviceInfo info = sluice::inspect_device(vkGetInstanceProcAddr, d.instance, candidate);
    if (info.name.find(name) == std::string::npos) continue;
    for (const std::string& missing : info.missing) reasons += "\n  " + info.name + " lacks " + missing;
    if (!info.missing.empty()) continue;
    d.physical = candidate;
    std::printf("device: %s\n", info.name.c_str());
    return;
  }
  throw std::runtime_error("no Vulkan device named \"" + name + "\" can run the simulation" + reasons);
}

// One queue family that draws and computes; every desktop device has one.
std::uint32_t graphics_family(VkPhysicalDevice physical) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  constexpr VkQueueFlags kBoth = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  for (std::uint32_t i = 0; i < count; ++i)
    if ((families[i].queueFlags & kBoth) == kBoth) return i;
  throw std::runtime_error("no queue draws and computes");
}

// The simulation's features, and ours.
sluice::Gpu create_device(Device& d) {
  VkPhysicalDeviceVulkan13Features features13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &features13};
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features12};
  sluice::require_features(features12, features13);
  features13.dynamicRendering = VK_TRUE;

  d.family = graphics_family(d.physical);
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = d.family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo create{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
  create.queueCreateInfoCount = 1;
  create.pQueueCreateInfos = &queue;
  CHECK(vkCreateDevice(d.physical, &create, nullptr, &d.device));
  vkGetDeviceQueue(d.device, d.family, 0, &d.queue);
  return sluice::Gpu::adopt({vkGetInstanceProcAddr, d.instance, d.physical, d.device, d.queue, d.family, &features});
}

std::uint32_t memory_type(const Device& d, std::uint32_t allowed, VkMemoryPropertyFlags wanted) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(d.physical, &memory);
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
    if ((allowed & (1u << i)) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  throw std::runtime_error("no memory of the kind that is needed");
}

VkDeviceMemory allocate(const Device& d, VkMemoryRequirements needs, VkMemoryPropertyFlags wanted) {
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = needs.size;
  info.memoryTypeIndex = memory_type(d, needs.memoryTypeBits, wanted);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  CHECK(vkAllocateMemory(d.device, &info, nullptr, &memory));
  return memory;
}

// --- What it draws with
// -----------------------------------------------------------------------------------------------

struct Image {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
};

Image create_image(const Device& d, VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspect) {
  Image out;
  VkImageCreateInfo create{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  create.imageType = VK_IMAGE_TYPE_2D;
  create.format = format;
  create.extent = {kWidth, kHeight, 1};
  create.mipLevels = create.arrayLayers = 1;
  create.samples = VK_SAMPLE_COUNT_1_BIT;
  create.usage = usage;
  CHECK(vkCreateImage(d.device, &create, nullptr, &out.image));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(d.device, out.image, &needs);
  out.memory = allocate(d, needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  CHECK(vkBindImageMemory(d.device, out.image, out.memory, 0));
  VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view.image = out.image;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = format;
  view.subresourceRange = {aspect, 0, 1, 0, 1};
  CHECK(vkCreateImageView(d.device, &view, nullptr, &out.view));
  return out;
}

void destroy(const Device& d, const Image& image) {
  vkDestroyImageView(d.device, image.view, nullptr);
  vkDestroyImage(d.device, image.image, nullptr);
  vkFreeMemory(d.device, image.memory, nullptr);
}

struct Camera {
  float view[16];       // columns
  float projection[4];  // as particles.vert reads it
  float slow[4];        // colour; radius of a ball, m
  float fast[4];        // colour; the value that gets it
};
constexpr float kWater[] = {0.05f, 0.25f, 0.65f}, kFoam[] = {0.85f, 0.95f, 1}, kFullSpeed = 3;  // m/s
constexpr float kBody[] = {0.75f, 0.55f, 0.3f}, kSticking[] = {0.9f, 0.2f, 0.1f};               // all friction used

struct Pipeline {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

Pipeline create_pipeline(const Device& d) {
  Pipeline out;
  const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Camera)};
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &push;
  CHECK(vkCreatePipelineLayout(d.device, &layout, nullptr, &out.layout));

  const auto stage = [&](VkShaderStageFlagBits bit, const std::uint32_t* code, std::size_t bytes) {
    VkShaderModuleCreateInfo module{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    module.codeSize = bytes;
    module.pCode = code;
    VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    info.stage = bit;
    info.pName = "main";
    CHECK(vkCreateShaderModule(d.device, &module, nullptr, &info.module));
    return info;
  };
  const VkPipelineShaderStageCreateInfo stages[] = {
      stage(VK_SHADER_STAGE_VERTEX_BIT, particles_vert, sizeof particles_vert),
      stage(VK_SHADER_STAGE_FRAGMENT_BIT, particles_frag, sizeof particles_frag)};

  // One instance a particle: the simulation's arrays are our vertex buffers.
  const VkVertexInputBindingDescription bindings[] = {{0, 16, VK_VERTEX_INPUT_RATE_INSTANCE},
                                                      {1, 16, VK_VERTEX_INPUT_RATE_INSTANCE}};
  const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
                                                          {1, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = input.vertexAttributeDescriptionCount = 2;
  input.pVertexBindingDescriptions = bindings;
  input.pVertexAttributeDescriptions = attributes;
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  const VkViewport viewport{0, kHeight, kWidth, -float(kHeight), 0, 1};  // y up
  const VkRect2D scissor{{0, 0}, {kWidth, kHeight}};
  VkPipelineViewportStateCreateInfo viewports{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewports.viewportCount = viewports.scissorCount = 1;
  viewports.pViewports = &viewport;
  viewports.pScissors = &scissor;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
  depth.depthCompareOp = VK_COMPARE_OP_LESS;
  VkPipelineColorBlendAttachmentState attachment{};
  attachment.colorWriteMask = 0xf;
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = 1;
  blend.pAttachments = &attachment;
  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachmentFormats = &kColor;
  rendering.depthAttachmentFormat = kDepth;
  VkGraphicsPipelineCreateInfo create{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  create.stageCount = 2;
  create.pStages = stages;
  create.pVertexInputState = &input;
  create.pInputAssemblyState = &assembly;
  create.pViewportState = &viewports;
  create.pRasterizationState = &raster;
  create.pMultisampleState = &samples;
  create.pDepthStencilState = &depth;
  create.pColorBlendState = &blend;
  create.layout = out.layout;
  CHECK(vkCreateGraphicsPipelines(d.device, VK_NULL_HANDLE, 1, &create, nullptr, &out.pipeline));
  for (const VkPipelineShaderStageCreateInfo& s : stages) vkDestroyShaderModule(d.device, s.module, nullptr);
  return out;
}

// Looks at all that the scene holds, from a little above.
Camera frame_scene(const sluice::Scene& scene) {
  using sluice::Vec3;
  Vec3 low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
  const auto take = [&](Vec3 p) {
    low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y), std::fmin(low.z, p.z)};
    high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y), std::fmax(high.z, p.z)};
  };
  for (const sluice::FluidParticle& p : scene.fluid) take(p.position);
  for (const sluice::BoundarySample& s : scene.boundary) take(s.position);
  for (const sluice::RigidBody& b : scene.rigid) {
    double reach = 0;
    for (const sluice::RigidSample& s : scene.shapes[b.shape].samples) reach = std::fmax(reach, length(s.position));
    take(b.position - Vec3{reach, reach, reach});
    take(b.position + Vec3{reach, reach, reach});
  }
  const Vec3 middle = 0.5 * (low + high), half = 0.5 * (high - low);
  const double reach = length(half), focus = 2.4;
  const Vec3 back = (1 / length(Vec3{0.5, 0.4, 1})) * Vec3{0.5, 0.4, 1};
  const Vec3 sideways = cross({0, 1, 0}, back), right = (1 / length(sideways)) * sideways, up = cross(back, right);
  double distance = 0;  // at which all corners are in the picture
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 q{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z};
    const double wide = std::fabs(dot(right, q)) * kHeight / kWidth, high_up = std::fabs(dot(up, q));
    distance = std::fmax(distance, dot(back, q) + 1.05 * focus * std::fmax(wide, high_up));
  }
  const Vec3 eye = middle + distance * back;
  Camera c;
  const Vec3 rows[] = {right, up, back};
  for (int r = 0; r < 3; ++r) {
    c.view[r] = float(rows[r].x);
    c.view[4 + r] = float(rows[r].y);
    c.view[8 + r] = float(rows[r].z);
    c.view[12 + r] = float(-dot(rows[r], eye));
    c.view[4 * r + 3] = 0;
  }
  c.view[15] = 1;
  const double near = 0.05 * distance, far = distance + 4 * reach;
  c.projection[0] = float(focus * kHeight / kWidth);
  c.projection[1] = float(focus);
  c.projection[2] = float(-near * far / (far - near));
  c.projection[3] = float(-far / (far - near));
  c.slow[3] = float(0.5 * scene.spacing);
  return c;
}

// --- A frame
// ----------------------------------------------------------------------------------------------------------

void image_barrier(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect, VkImageLayout from,
                   VkImageLayout to) {
  VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {aspect, 0, 1, 0, 1};
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.imageMemoryBarrierCount = 1;
  dependency.pImageMemoryBarriers = &barrier;
  vkCmdPipelineBarrier2(commands, &dependency);
}

// Draws what the ticket recorded before it in the same commands will have computed.
void draw(VkCommandBuffer commands, const Pipeline& pipeline, const Camera& camera, const Image& color,
          const Image& depth, const sluice::DrawnState& state) {
  image_barrier(commands, color.image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  image_barrier(commands, depth.image, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
  VkRenderingAttachmentInfo color_target{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color_target.imageView = color.view;
  color_target.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color_target.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color_target.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  color_target.clearValue.color = {{0.93f, 0.94f, 0.95f, 1}};
  VkRenderingAttachmentInfo depth_target = color_target;
  depth_target.imageView = depth.view;
  depth_target.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
  depth_target.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  depth_target.clearValue.depthStencil = {1, 0};
  VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea = {{0, 0}, {kWidth, kHeight}};
  rendering.layerCount = 1;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &color_target;
  rendering.pDepthAttachment = &depth_target;
  vkCmdBeginRendering(commands, &rendering);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
  const auto balls = [&](const sluice::BufferView& position, const sluice::BufferView& value, const float* slow,
                         const float* fast, float full) {
    Camera push = camera;
    std::copy_n(slow, 3, push.slow);
    std::copy_n(fast, 3, push.fast);
    push.fast[3] = full;
    vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                       sizeof push, &push);
    const VkBuffer buffers[] = {position.buffer, value.buffer};
    const VkDeviceSize offsets[] = {position.offset, value.offset};
    vkCmdBindVertexBuffers(commands, 0, 2, buffers, offsets);
  };
  balls(state.position, state.velocity, kWater, kFoam, kFullSpeed);
  vkCmdDrawIndirect(commands, state.indirect, state.quads, 1, 0);  // the device knows how many
  balls(state.sample_position, state.sample_friction, kBody, kSticking, 1);
  vkCmdDraw(commands, 4, static_cast<std::uint32_t>(state.sample_position.count), 0, 0);
  vkCmdEndRendering(commands);
}

struct FrameSlot {
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  sluice::Ticket ticket;  // of the commands under way; 0: none
};

void write_png(const Device& d, VkCommandPool pool, const Image& color, const std::string& path) {
  VkBufferCreateInfo create{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  create.size = kWidth * kHeight * 4;
  create.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  CHECK(vkCreateBuffer(d.device, &create, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(d.device, buffer, &needs);
  const VkDeviceMemory memory =
      allocate(d, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  CHECK(vkBindBufferMemory(d.device, buffer, memory, 0));
  VkCommandBufferAllocateInfo allocate_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate_info.commandPool = pool;
  allocate_info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  CHECK(vkAllocateCommandBuffers(d.device, &allocate_info, &commands));
  const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CHECK(vkBeginCommandBuffer(commands, &begin));
  image_barrier(commands, color.image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {kWidth, kHeight, 1};
  vkCmdCopyImageToBuffer(commands, color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1, &region);
  CHECK(vkEndCommandBuffer(commands));
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  CHECK(vkQueueSubmit(d.queue, 1, &submit, VK_NULL_HANDLE));
  CHECK(vkQueueWaitIdle(d.queue));
  void* pixels = nullptr;
  CHECK(vkMapMemory(d.device, memory, 0, VK_WHOLE_SIZE, 0, &pixels));
  if (!stbi_write_png(path.c_str(), kWidth, kHeight, 4, pixels, kWidth * 4))
    throw std::runtime_error("cannot write " + path);
  vkDestroyBuffer(d.device, buffer, nullptr);
  vkFreeMemory(d.device, memory, nullptr);
}

void run(const Options& options, Device& d) {
  const sluice::Scene scene = sluice::load_scene(options.scene);
  create_instance(d, options.validate);
  choose_physical_device(d, options.device);
  sluice::Gpu gpu = create_device(d);
  sluice::Simulation simulation(gpu, scene, {.drawn = true});

  const Camera camera = frame_scene(scene);
  const Pipeline pipeline = create_pipeline(d);
  const Image color = create_image(d, kColor, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                   VK_IMAGE_ASPECT_COLOR_BIT);
  const Image depth = create_image(d, kDepth, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
  VkCommandPoolCreateInfo pool_create{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_create.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool_create.queueFamilyIndex = d.family;
  VkCommandPool pool = VK_NULL_HANDLE;
  CHECK(vkCreateCommandPool(d.device, &pool_create, nullptr, &pool));
  std::array<FrameSlot, kInFlight> slots;
  for (FrameSlot& slot : slots) {
    VkCommandBufferAllocateInfo allocate_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate_info.commandPool = pool;
    allocate_info.commandBufferCount = 1;
    CHECK(vkAllocateCommandBuffers(d.device, &allocate_info, &slot.commands));
    const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    CHECK(vkCreateFence(d.device, &fence, nullptr, &slot.fence));
  }

  double time = 0;
  std::uint32_t steps = 0;
  const auto finish = [&](FrameSlot& slot) {
    if (slot.ticket.serial == 0) return;
    CHECK(vkWaitForFences(d.device, 1, &slot.fence, VK_TRUE, ~std::uint64_t{0}));
    CHECK(vkResetFences(d.device, 1, &slot.fence));
    const sluice::Report report = simulation.retire(slot.ticket);
    slot.ticket = {};
    time = report.time;
    steps += static_cast<std::uint32_t>(report.steps.size());
    if (!report.failure.empty()) throw std::runtime_error(report.failure);
  };
  for (int frame = 0; frame < options.frames; ++frame) {
    FrameSlot& slot = slots[frame % kInFlight];
    finish(slot);
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    CHECK(vkBeginCommandBuffer(slot.commands, &begin));
    slot.ticket = simulation.record(slot.commands, kMostSteps, (frame + 1) * kFrameSeconds * options.speed);
    draw(slot.commands, pipeline, camera, color, depth, simulation.drawn(slot.ticket));
    CHECK(vkEndCommandBuffer(slot.commands));
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &slot.commands;
    CHECK(vkQueueSubmit(d.queue, 1, &submit, slot.fence));
    if (frame % 20 == 19) std::printf("frame %d, %u steps, %.3f s\n", frame + 1, steps, time);
  }
  for (int k = 0; k < kInFlight; ++k) finish(slots[(options.frames + k) % kInFlight]);  // the older one first
  write_png(d, pool, color, options.out);
  std::printf("%d frames, %u steps, %.3f s simulated; wrote %s\n", options.frames, steps, time, options.out.c_str());

  for (FrameSlot& slot : slots) vkDestroyFence(d.device, slot.fence, nullptr);
  vkDestroyCommandPool(d.device, pool, nullptr);
  destroy(d, color);
  destroy(d, depth);
  vkDestroyPipeline(d.device, pipeline.pipeline, nullptr);
  vkDestroyPipelineLayout(d.device, pipeline.layout, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  Device d;
  int code = 0;
  try {
    run(parse(argc, argv), d);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "embed: %s\n", error.what());
    code = 1;
  }
  if (d.device && code == 0) vkDestroyDevice(d.device, nullptr);
  if (d.messenger) {
    const auto destroy_messenger = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(d.instance, "vkDestroyDebugUtilsMessengerEXT"));
    destroy_messenger(d.instance, d.messenger, nullptr);
  }
  if (d.instance && code == 0) vkDestroyInstance(d.instance, nullptr);
  if (d.messages > 0) {
    std::fprintf(stderr, "embed: the validation layers said %d things\n", d.messages);
    code = 1;
  }
  return code;
}
