// Recorded commands between their recording and their end.
#pragma once

#include <array>
#include <deque>
#include <limits>
#include <memory>

#include "engine/state.h"
#include "host/vulkan/recorder.h"

namespace sluice {

struct TicketSlot {
  TicketSlot(vulkan::Device& device, std::uint32_t timestamps)
      : control(device, 1, vulkan::Where::host), done(device, 1, vulkan::Where::host), timer(device, timestamps) {}
  vulkan::Buffer<gpu::Control> control;  // as the commands leave it
  vulkan::Buffer<gpu::uint> done;        // the ticket's number, once they have run
  vulkan::Timer timer;
  std::vector<vulkan::TimedDispatch> timed;
  std::uint32_t begin = 0, end = 0;  // marks around all ticks
  std::uint64_t serial = 0;          // 0: free
  std::uint32_t ticks = 0;
  int side = 0;  // of the drawn state that it writes
};

struct Tickets {
  Tickets(vulkan::Device& device, std::uint32_t timestamps);

  std::array<std::unique_ptr<TicketSlot>, Simulation::kMaxTickets> slots;
  std::deque<TicketSlot*> waiting;  // in order of recording
  std::uint64_t last = 0;           // serial
  int retired_side = 1;             // of the last ticket that ran
  struct Side {
    std::uint64_t serial = 0;   // of the last ticket that writes it, 0: none
    std::uint64_t earlier = 0;  // whose work it still holds if that one is discarded
    double time = std::numeric_limits<double>::quiet_NaN(), earlier_time = time;  // s
  };
  std::array<Side, 2> sides;
};

// All throw Error with a sentence if there is no such ticket, or it is not its turn.
TicketSlot& open_ticket(Tickets& tickets, std::uint32_t ticks);
TicketSlot& oldest_ticket(Tickets& tickets, Ticket ticket);  // which has run
void close_ticket(Tickets& tickets, TicketSlot& slot);
void discard_ticket(Tickets& tickets, Ticket ticket);
int side_of(const Tickets& tickets, Ticket ticket);

}  // namespace sluice
