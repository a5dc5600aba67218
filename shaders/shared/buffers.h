// Where the buffers of engine/buffers.def lie. An address is two words: SwiftShader cannot load a reference from memory.
#ifndef SLUICE_BUFFERS_H
#define SLUICE_BUFFERS_H
#include "shared/state.h"

BEGIN_SHARED

struct BufferTable {
#define BUFFER(name, Element, count, lifetime, part) uvec2 name;
#define GATHERED(name, Element, count, lifetime, part, binding) uvec2 name;
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
};
DECLARE_REF(BufferTable, 8)

END_SHARED
#endif
