// The tables of passes and buffers are true: what each pass is said to read and write is what its compiled shader
// reads and writes, and a step needs of the last one only what is said to be state.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "engine/embedded_shaders.h"
#include "engine/frame.h"
#include "tests/gpu.h"
#include "tests/rigid_rig.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

using Names = std::set<std::string>;

struct Flow {
  Names reads, writes;
  bool elsewhere = false;  // reads or writes what is not in the table of buffers
};

// Names of the table, in its order.
const std::vector<std::string> kBuffers{
#define BUFFER(name, Element, count, lifetime, part) #name,
#define GATHERED(name, Element, count, lifetime, part, binding) BUFFER(name, Element, count, lifetime, part)
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
};
const std::map<std::string, std::string> kLifetimes{
#define BUFFER(name, Element, count, lifetime, part) {#name, #lifetime},
#define GATHERED(name, Element, count, lifetime, part, binding) BUFFER(name, Element, count, lifetime, part)
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
};

Names split(const std::string& text) {
  Names names;
  std::istringstream words(text);
  for (std::string word; words >> word;) names.insert(word.substr(0, word.find(',')));
  return names;
}

struct Declared {
  std::string pass;
  bool utility;
  Flow flow;
};
const std::vector<Declared> kDeclared{
#define READS(...) split(#__VA_ARGS__)
#define WRITES(...) split(#__VA_ARGS__)
#define PASS(name, slot, Args, reads, writes) {#name, false, {reads, writes}},
#define UTILITY(name, Args) {#name, true, {}},
#include "engine/passes.def"
#undef PASS
#undef UTILITY
#undef READS
#undef WRITES
};

// Follows every address of the table through a module, which has one function; numbers of opcodes as in the SPIR-V
// specification. An address that is loaded from `page` is that of a page of rows.
Flow flow_of(std::span<const std::uint32_t> code) {
  enum : std::uint32_t {
    kName = 5,
    kTypePointer = 32,
    kConstant = 43,
    kLoad = 61,
    kStore = 62,
    kAccessChain = 65,
    kInBoundsAccessChain = 66,
    kBitcast = 124,
    kConvertUToPtr = 120,
    kSelect = 169,
    kAtomicLoad = 227,
    kAtomicStore = 228,
    kAtomicXor = 242,
    kPhi = 245,
    kPhysicalStorage = 5349
  };
  const std::string table = "(table)";
  Flow flow;
  std::map<std::uint32_t, std::string> names;
  std::map<std::uint32_t, std::uint32_t> constants;
  std::set<std::uint32_t> physical, table_pointers;
  std::map<std::uint32_t, Names> points;              // a pointer, to which buffers
  std::map<std::uint32_t, std::string> member, word;  // a pointer to an address in the table; an address
  std::map<std::uint32_t, std::uint32_t> types;       // of pointers
  const auto touch = [&](std::uint32_t pointer, bool reads, bool writes) {
    if (!physical.contains(types[pointer])) return;
    const auto found = points.find(pointer);
    if (found == points.end()) {
      flow.elsewhere = true;
      return;
    }
    for (const std::string& name : found->second) {
      if (reads) flow.reads.insert(name);
      if (writes) flow.writes.insert(name);
    }
  };
  for (std::size_t i = 5; i < code.size(); i += code[i] >> 16) {
    const std::uint32_t* w = &code[i];
    const std::uint32_t op = code[i] & 0xffff, words = code[i] >> 16;
    if (op == kName) names[w[1]] = reinterpret_cast<const char*>(w + 2);
    if (op == kConstant) constants[w[2]] = w[3];
    if (op == kTypePointer && w[2] == kPhysicalStorage) {
      physical.insert(w[1]);
      if (names[w[3]] == "BufferTable_ref") table_pointers.insert(w[1]);
    }
    if (op == kAccessChain || op == kInBoundsAccessChain) {
      types[w[2]] = w[1];
      const auto from = points.find(w[3]);
      if (from == points.end()) continue;
      if (from->second.contains(table))
        member[w[2]] = kBuffers.at(constants[w[words - 1]]);
      else
        points[w[2]] = from->second;
    }
    if (op == kLoad) {
      types[w[2]] = w[1];
      if (table_pointers.contains(w[1])) {
        points[w[2]] = {table};
      } else if (member.contains(w[3])) {
        word[w[2]] = member[w[3]];
      } else {
        touch(w[3], true, false);
        if (points.contains(w[3]) && points[w[3]].contains("page")) word[w[2]] = "rows";
      }
    }
    if (op == kBitcast || op == kConvertUToPtr) {
      types[w[2]] = w[1];
      if (word.contains(w[3])) points[w[2]] = {word[w[3]]};
      // From a reference to an address and on to a reference of another kind.
      if (points.contains(w[3])) {
        points[w[2]] = points[w[3]];
        if (points[w[3]].size() == 1) word[w[2]] = *points[w[3]].begin();
      }
    }
    if (op == kPhi || op == kSelect) {
      types[w[2]] = w[1];
      for (std::uint32_t k = 3; k < words; ++k)
        if (points.contains(w[k])) points[w[2]].insert(points[w[k]].begin(), points[w[k]].end());
    }
    if (op == kStore || op == kAtomicStore) touch(w[1], false, true);
    if (op >= kAtomicLoad && op <= kAtomicXor && op != kAtomicStore) touch(w[3], true, op != kAtomicLoad);
  }
  // As the table of passes has it.
  flow.reads.erase("params");
  flow.reads.erase("control");
  flow.reads.erase("page");
  for (Names* set : {&flow.reads, &flow.writes})
    for (const char* name : {"row_head", "spill_pool"})
      if (set->erase(name) > 0) set->insert("rows");
  return flow;
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text.append(name).push_back(' ');
  return text;
}

}  // namespace

TEST_CASE("each pass reads and writes the buffers that engine/passes.def says, and no others") {
  for (const Declared& declared : kDeclared) {
    CAPTURE(declared.pass);
    const auto shader = std::find_if(strict_shaders().begin(), strict_shaders().end(),
                                     [&](const EmbeddedShader& s) { return s.name == declared.pass; });
    REQUIRE(shader != strict_shaders().end());
    const Flow found = flow_of(shader->code);
    CHECK(joined(found.reads) == joined(declared.flow.reads));
    CHECK(joined(found.writes) == joined(declared.flow.writes));
    const bool has_own = declared.pass.starts_with("draw_") || declared.pass == "report_contacts";
    CHECK(found.elsewhere == (declared.utility || has_own));
  }
}

TEST_CASE("what is made within a step is written before it is read, and no buffer is idle") {
  Names written, read;
  for (const Declared& pass : kDeclared) {
    CAPTURE(pass.pass);
    if (pass.pass == "sort_scatter") written.insert({"sort_key", "sort_value", "sample_order"});
    if (pass.pass == "cell_ranges") written.insert({"cell", "boundary_cell", "sample_cell"});
    for (const std::string& name : pass.flow.reads) {
      CAPTURE(name);
      read.insert(name);
      if (name == "rows") {
        CHECK(written.contains(name));
        continue;
      }
      const std::string& lifetime = kLifetimes.at(name);
      if (lifetime == "step" || lifetime == "solve") CHECK((written.contains(name) || pass.flow.writes.contains(name)));
    }
    written.insert(pass.flow.writes.begin(), pass.flow.writes.end());
  }
  for (const std::string& name : kBuffers) {
    CAPTURE(name);
    const bool is_row = name == "row_head" || name == "page" || name == "spill_pool";
    const bool of_utility = name == "sort_count" || name == "sort_total", by_host = kLifetimes.at(name) == "ring";
    CHECK((is_row || of_utility || by_host || read.contains(name) || name == "params" || name == "control"));
    CHECK((is_row || of_utility || by_host || written.contains(name) || kLifetimes.at(name) == "constant"));
  }
}

namespace {

struct Snapshot {
  std::string lifetime;
  std::vector<std::uint8_t> bytes;
};

std::vector<const vulkan::RawBuffer*> buffers_of(const State& s) {
  return {
#define BUFFER(name, Element, count, lifetime, part) &s.name.raw,
#define GATHERED(name, Element, count, lifetime, part, binding) BUFFER(name, Element, count, lifetime, part)
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
  };
}

void run_steps(Rig& rig, std::uint32_t steps) {
  const std::uint32_t end = rig.control().step + steps;
  for (int tick = 0; rig.control().step < end; ++tick) {
    REQUIRE(tick < 1000);
    gpu::Control control = rig.control();
    REQUIRE(control.phase != gpu::kPhaseFailed);
    if (control.phase == gpu::kPhaseFrame) {
      control.phase = gpu::kPhaseBegin;
      rig.set_control(control);
    }
    rig.tick(12);
  }
}

}  // namespace

TEST_CASE("a run goes on with the same bits from what engine/buffers.def calls state alone") {
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    for (const Scene& scene : {shaken_cloud(1234), stirred_column(), two_boxes("two boxes", true), crowd()}) {
      CAPTURE(scene.name);
      Rig rig(*gpu, scene);
      run_steps(rig, 3);
      Rig other(*gpu, scene);
      const std::vector<const vulkan::RawBuffer*> from = buffers_of(rig.state), to = buffers_of(other.state);
      for (std::size_t k = 0; k < kBuffers.size(); ++k) {
        const std::string& lifetime = kLifetimes.at(kBuffers[k]);
        REQUIRE(from[k]->bytes() == to[k]->bytes());
        // Not a number, no key, no cell.
        std::vector<std::uint8_t> bytes(from[k]->bytes(), 0xff);
        if (lifetime == "state") vulkan::download(rig.device, *from[k], bytes.data(), bytes.size());
        if (lifetime == "state" || lifetime == "step" || lifetime == "solve" || lifetime == "cache")
          vulkan::upload(rig.device, *to[k], bytes.data(), bytes.size());
      }
      gpu::Control control = other.control();
      control.boundary_dirty = 1;
      other.set_control(control);
      run_steps(rig, 3);
      run_steps(other, 3);
      CHECK(hash_of(other.state) == hash_of(rig.state));
    }
  }
}
