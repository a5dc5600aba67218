/* Sluice for programs in C, and for languages that call C; see sluice/embed.h for what each call does and for the rules
 * of barriers, queues and threads. In the library Sluice::io.
 *
 * Functions return 0, or 1 with a sentence in `error`, which may be null; what they would have made is null or 0 then.
 * Nothing is thrown or printed. Objects are destroyed by their owner: simulations before the gpu that they use, the gpu
 * before the device. */
#ifndef SLUICE_C_H
#define SLUICE_C_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sluice_gpu sluice_gpu;
typedef struct sluice_simulation sluice_simulation;

typedef struct sluice_error {
  char message[1024]; /* ends with a zero; cut if it is longer */
} sluice_error;

typedef struct sluice_external_device {
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  VkQueue queue;
  uint32_t queue_family;
  const VkPhysicalDeviceFeatures2* enabled; /* may be null */
  VkBool32 debug_utils;
} sluice_external_device;

typedef struct sluice_options {
  VkBool32 drawn;
  double drawn_origin[3]; /* m */
  VkBool32 moving_boundaries;
} sluice_options;

typedef struct sluice_report {
  double time;                     /* s, of the last completed step */
  uint32_t step;                   /* completed since the start */
  uint32_t steps;                  /* of these, by this ticket */
  uint32_t iterations;             /* of the last of them; 0 if there is none, as below */
  double density_error, max_speed; /* of it: the mean of max(0, V0/V - 1); m/s */
  VkBool32 failed;                 /* the run has failed; the sentence is in `error` */
} sluice_report;

typedef struct sluice_buffer_view {
  VkBuffer buffer;
  VkDeviceSize offset;
  VkDeviceAddress address;
  uint32_t stride;
  VkFormat format;
  uint64_t count;
} sluice_buffer_view;

typedef struct sluice_drawn_state {
  uint64_t ticket, generation;
  double time; /* s; NaN until the ticket is retired */
  VkBuffer indirect;
  VkDeviceSize points, quads;
  sluice_buffer_view position, velocity, density, material;
  sluice_buffer_view transform;
  uint32_t rigid_bodies, boundary_bodies;
  sluice_buffer_view sample_position, sample_friction, sample_body;
} sluice_drawn_state;

/* sluice::Edit: what the five calls below do as the next step begins, at a step of choice. */
enum { SLUICE_EDIT_MOTION, SLUICE_EDIT_FORCE, SLUICE_EDIT_IMPULSE, SLUICE_EDIT_POSE, SLUICE_EDIT_GRAVITY };
#define SLUICE_NEXT_STEP 0xffffffffu
typedef struct sluice_edit {
  uint32_t kind;         /* SLUICE_EDIT_... */
  uint32_t body;         /* boundary of a motion, else rigid body */
  double linear[3];      /* m/s of a motion; N; N s; m (of the centre of mass); m/s^2 */
  double angular[3];     /* rad/s; N m; N m s */
  double orientation[4]; /* w, x, y, z, of a pose */
  uint32_t step;         /* completed steps before it is applied, or SLUICE_NEXT_STEP */
} sluice_edit;

/* What a device must be created with; sType and pNext stay as they are. */
void sluice_require_features(VkPhysicalDeviceVulkan12Features* features12,
                             VkPhysicalDeviceVulkan13Features* features13);

int sluice_gpu_adopt(const sluice_external_device* device, sluice_gpu** gpu, sluice_error* error);
void sluice_gpu_destroy(sluice_gpu* gpu);

/* `options` may be null. */
int sluice_simulation_load(sluice_gpu* gpu, const char* scene_path, const sluice_options* options,
                           sluice_simulation** simulation, sluice_error* error);
void sluice_simulation_destroy(sluice_simulation* simulation);

int sluice_record(sluice_simulation* simulation, VkCommandBuffer commands, uint32_t ticks, double until_time,
                  uint64_t* ticket, sluice_error* error);
/* A run that has failed is a report, not an error: 0 is returned. */
int sluice_retire(sluice_simulation* simulation, uint64_t ticket, sluice_report* report, sluice_error* error);
int sluice_discard(sluice_simulation* simulation, uint64_t ticket, sluice_error* error);

int sluice_drawn(const sluice_simulation* simulation, uint64_t ticket, sluice_drawn_state* state, sluice_error* error);
int sluice_check_current(const sluice_simulation* simulation, const sluice_drawn_state* state, sluice_error* error);
int sluice_state_hash(sluice_simulation* simulation, uint64_t* hash, sluice_error* error);

/* sluice::Contact: what a touching pair did to each other in the last completed step; world axes. The force on `a` is
 * normal_force * normal + friction, that on `b` its opposite. */
typedef struct sluice_contact {
  uint32_t a; /* rigid body */
  uint32_t b; /* boundary if `boundary`, else a rigid body with a larger index */
  VkBool32 boundary;
  uint32_t samples;    /* of both bodies, with a share in it */
  double point[3];     /* m */
  double normal[3];    /* unit: the direction in which b pushes a */
  double normal_force; /* N */
  double friction[3];  /* N, on a */
} sluice_contact;
/* Writes at most `capacity` of them, which may be 0 with `contacts` null; `count` is how many there are. No tickets may
 * wait. Found anew by each call, which submits and waits. */
int sluice_read_contacts(sluice_simulation* simulation, sluice_contact* contacts, uint32_t capacity, uint32_t* count,
                         sluice_error* error);

/* Index of a rigid body or boundary by its name in the scene file. */
int sluice_find_body(const sluice_simulation* simulation, const char* name, uint32_t* body, sluice_error* error);
int sluice_find_boundary(const sluice_simulation* simulation, const char* name, uint32_t* boundary,
                         sluice_error* error);

int sluice_set_motion(sluice_simulation* simulation, uint32_t boundary, const double velocity[3],
                      const double angular_velocity[3], sluice_error* error);
int sluice_set_force(sluice_simulation* simulation, uint32_t body, const double force[3], const double torque[3],
                     sluice_error* error);
int sluice_apply_impulse(sluice_simulation* simulation, uint32_t body, const double impulse[3],
                         const double angular_impulse[3], sluice_error* error);
/* The orientation is w, x, y, z. */
int sluice_set_pose(sluice_simulation* simulation, uint32_t body, const double center_of_mass[3],
                    const double orientation[4], sluice_error* error);
int sluice_set_gravity(sluice_simulation* simulation, const double gravity[3], sluice_error* error);

int sluice_apply_edit(sluice_simulation* simulation, const sluice_edit* edit, sluice_error* error);
/* The edits that were applied so far, with their steps: applied to a new simulation of the scene, they make the same
 * bits. Writes at most `capacity` of them, which may be 0 with `edits` null; `count` is how many there are. */
int sluice_edit_log(const sluice_simulation* simulation, sluice_edit* edits, uint32_t capacity, uint32_t* count,
                    sluice_error* error);

#ifdef __cplusplus
}
#endif
#endif
