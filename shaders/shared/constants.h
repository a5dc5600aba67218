// Numbers that both sides agree on. Each says its unit and what breaks when it changes.
#ifndef SLUICE_CONSTANTS_H
#define SLUICE_CONSTANTS_H
#include "shared/language.h"

BEGIN_SHARED

// Threads of a workgroup. The trees of sums have this width, so another value gives other bits.
CONSTANT kGroup = 256;
// Groups along x; a dispatch with more goes on along y (65535 is the least that Vulkan guarantees).
CONSTANT kMaxGroupsX = 65535;

// Fixed-point positions: an axis is 12 bits of cell and 20 bits of offset; a cell's edge is the
// kernel's support 2h. Neighbours differ by less than 2^21 units, which a float holds exactly.
CONSTANT kCellShift = 20;
FLOAT_CONSTANT kUnit = 1.9073486328125e-6f;  // 2h / 2^20, in h
FLOAT_CONSTANT kUnitsPerH = 524288.0f;       // 2^19
FLOAT_CONSTANT kSupportSquared = 4.0f;       // (2h)^2, in h^2
CONSTANT kWrapBits = 9;                      // times an axis wrapped 2^12 cells, signed; see kDomainReach
FLOAT_CONSTANT kDomainReach = 2080768.0f;     // h, 254 wraps: no domain is wider, so that wraps never overflow
CONSTANT kMaterialBits = 5;                  // 3 * 9 + 5 = 32: one word a particle
CONSTANT kMaxMaterials = 32;
CONSTANT kSampleWeightOne = 16384;  // a boundary sample's weight is fixed point, 14 bits of fraction
FLOAT_CONSTANT kSampleWeightUnit = 6.103515625e-5f;

// Keys a workgroup sorts at once, 4 a thread; shared memory holds them twice over under 16 KiB.
CONSTANT kSortBlock = 1024;
CONSTANT kSortDigits = 256;

// Row heads: fluid, rigid and boundary counts share a word; more neighbours than these are a failure.
CONSTANT kFluidCountBits = 12;
CONSTANT kRigidCountBits = 10;
CONSTANT kBoundaryCountBits = 10;
CONSTANT kSpillBlock = 16;  // entries of a block of the spill pool
CONSTANT kRowBlock = 4;     // a row's capacity is a multiple of it: texel views fetch so many

// Samples of rigid bodies lie body by body, each body's padded to whole chunks: sums over a body add the
// sums of chunks, so the tree is fixed whatever the number of threads. Parts keep a large body's sum short.
CONSTANT kChunk = 16;       // samples; kGroup / kChunk chunks a workgroup
CONSTANT kSumVectors = 4;   // of a RigidSum
CONSTANT kPartChunks = 64;  // chunks of a part, at most
CONSTANT kBodyBits = 20;    // a sample's word: weight << 20 | body
CONSTANT kMaxRigid = 1048575;
CONSTANT kBoundaryPartner = 1048576;  // 1 << kBodyBits: where boundaries are counted behind rigid bodies
CONSTANT kNoBody = 0xffffffffu;
CONSTANT kNoKey = 0xffffffffu;       // of no cell
// Flags of a sorted sample's index.
CONSTANT kPadding = 0x80000000u;     // it only fills a chunk up
CONSTANT kFixedSample = 0x40000000u; // of what cannot move: next to another such sample, neither is the other's neighbour
CONSTANT kCarrierSample = 0x20000000u;  // of a boundary's row carriers, which fluid does not see
CONSTANT kSampleIndex = 0x1fffffffu;
// Chunk::kind
CONSTANT kChunkMoves = 0;
CONSTANT kChunkFixed = 1;     // of a body that cannot move
CONSTANT kChunkCarriers = 2;  // of a boundary's row carriers
CONSTANT kManyBodies = 0xfffffffeu;  // a row that touches more bodies than its record holds
CONSTANT kRowBodies = 4;
FLOAT_CONSTANT kWeightUnit = 4.8828125e-4f;  // 1 / 2048: a sample's weight as fluid sees it, below 2
FLOAT_CONSTANT kMaxWeight = 1.2f;            // an isolated sample must not count for a whole patch
// A sample whose contact gradient is smaller (1/h^4) has no direction of contact, hence no row.
FLOAT_CONSTANT kSmallGradient = 1e-6f;
CONSTANT kFrictionClasses = 32;  // of bodies that have coefficients pair by pair; 0 has none

// Bindings of set 0: uniform buffers; texel views of the rows' only page and of Params' words; behind them those of
// engine/buffers.def.
CONSTANT kUniformBuffers = 0;
CONSTANT kUniformParams = 1;
CONSTANT kUniformControl = 2;
CONSTANT kTexelRows = 3;
CONSTANT kTexelParams = 4;
CONSTANT kTexelGathered = 5;
// Texels of a record.
CONSTANT kRigidStepTexels = 10;
CONSTANT kBodyStateTexels = 10;
CONSTANT kSampleRowTexels = 10;
CONSTANT kSampleSolveTexels = 6;
CONSTANT kMaterialWord = 72;  // of Params::materials
CONSTANT kPairWord = 200;     // of Params::pair_friction
CONSTANT kPairRestitutionWord = 1224;  // of Params::pair_restitution

CONSTANT kStatusRing = 1024;  // steps that one submit may finish

// The phase word: what is due next.
CONSTANT kPhaseBegin = 0;
CONSTANT kPhaseSolve = 1;
CONSTANT kPhaseEnd = 2;
CONSTANT kPhaseFrame = 3;     // a frame is complete; the host takes it
CONSTANT kPhaseCapacity = 4;  // the spill pool is too small; the step starts again after regrowth
CONSTANT kPhaseFailed = 5;
CONSTANT kPhaseHeld = 6;  // the time that was asked for is reached; the next tick looks again

CONSTANT kFailureNone = 0;
CONSTANT kFailureNotFinite = 1;  // a pressure, velocity or volume error is not a number
CONSTANT kFailureCrowded = 2;    // more neighbours than a row head can count
CONSTANT kFailureTooFast = 3;    // a particle moves more than kMaxMove a step

CONSTANT kFailureStalled = 4;          // a step is shorter than kShortestStep
FLOAT_CONSTANT kShortestStep = 1e-7f;  // T0; frames would take forever

// Displacement in h that a step may have; beyond it the solve has failed (CFL is about 0.4).
FLOAT_CONSTANT kMaxMove = 64.0f;

// What a host changes between steps. See Edit.
CONSTANT kEditMotion = 0;
CONSTANT kEditForce = 1;
CONSTANT kEditImpulse = 2;
CONSTANT kEditPose = 3;
CONSTANT kEditGravity = 4;
CONSTANT kEditRing = 256;  // edits that may wait on the device
CONSTANT kNextStep = 0xffffffffu;

// What limited the time step.
CONSTANT kLimitMaxStep = 0;
CONSTANT kLimitCfl = 1;
CONSTANT kLimitViscosity = 2;
CONSTANT kLimitGrowth = 3;
CONSTANT kLimitFrame = 4;

// Slots of dispatches: see engine/slots.def.
#define SLOT(number, name, when, needs, groups) CONSTANT kSlot##name = number;
#include "engine/slots.def"
#undef SLOT
#define SLOT(number, name, when, needs, groups) +1u
CONSTANT kSlotCount = 0u
#include "engine/slots.def"
    ;
#undef SLOT

// Specialization constants.
CONSTANT kSpecGroupSize = 0;
CONSTANT kSpecRowInterleave = 1;  // rows whose blocks of entries alternate: a vector's width
CONSTANT kSpecOneGroupSize = 2;   // of a pass of one workgroup: kGroup, or a vector's width on CPU drivers
CONSTANT kSpecSortByRuns = 4;     // 1 on CPU drivers
CONSTANT kSpecSortValues = 6;     // 0: keys alone, as only a benchmark sorts them
CONSTANT kSpecMaterials = 5;      // 0: all fluid is of one material
CONSTANT kSpecBodies = 3;         // 0: the scene has no rigid bodies

END_SHARED
#endif
