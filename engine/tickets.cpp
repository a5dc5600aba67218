#include "engine/tickets.h"

#include <algorithm>

namespace sluice {
namespace {

std::string named(Ticket ticket) { return "ticket " + std::to_string(ticket.serial); }

// Throws Error unless it waits.
std::deque<TicketSlot*>::iterator find_waiting(Tickets& tickets, Ticket ticket) {
  if (ticket.serial == 0 || ticket.serial > tickets.last)
    throw Error(named(ticket) + " was never recorded; the last is " + named({tickets.last}));
  const auto found = std::find_if(tickets.waiting.begin(), tickets.waiting.end(),
                                  [&](const TicketSlot* slot) { return slot->serial == ticket.serial; });
  if (found == tickets.waiting.end()) throw Error(named(ticket) + " has been retired or discarded before");
  return found;
}

}  // namespace

Tickets::Tickets(vulkan::Device& device, std::uint32_t timestamps) {
  for (std::unique_ptr<TicketSlot>& slot : slots) slot = std::make_unique<TicketSlot>(device, timestamps);
}

TicketSlot& open_ticket(Tickets& tickets, std::uint32_t ticks) {
  std::uint64_t outstanding = ticks;
  for (const TicketSlot* slot : tickets.waiting) outstanding += slot->ticks;
  if (ticks == 0 || outstanding > Simulation::kMaxTicks)
    throw Error("a ticket holds 1 to " + std::to_string(Simulation::kMaxTicks) +
                " ticks, less those of tickets that wait; " + std::to_string(ticks) + " were asked for while " +
                std::to_string(outstanding - ticks) + " wait");
  const auto free = std::find_if(tickets.slots.begin(), tickets.slots.end(),
                                 [](const std::unique_ptr<TicketSlot>& slot) { return slot->serial == 0; });
  if (free == tickets.slots.end())
    throw Error(std::to_string(Simulation::kMaxTickets) + " recorded tickets wait; retire or discard the oldest, " +
                named({tickets.waiting.front()->serial}) + ", first");
  TicketSlot& slot = **free;
  slot.side = 1 - (tickets.waiting.empty() ? tickets.retired_side : tickets.waiting.back()->side);
  slot.serial = ++tickets.last;
  slot.ticks = ticks;
  *slot.done.mapped() = 0;
  Tickets::Side& side = tickets.sides[slot.side];
  side = {slot.serial, side.serial, std::numeric_limits<double>::quiet_NaN(), side.time};
  tickets.waiting.push_back(&slot);
  return slot;
}

TicketSlot& oldest_ticket(Tickets& tickets, Ticket ticket) {
  const auto found = find_waiting(tickets, ticket);
  if (found != tickets.waiting.begin())
    throw Error(named(ticket) + " cannot be retired before " + named({tickets.waiting.front()->serial}) +
                "; discard that one if its commands were not submitted");
  TicketSlot& slot = **found;
  if (*slot.done.mapped() != static_cast<std::uint32_t>(slot.serial))
    throw Error("the commands of " + named(ticket) +
                " have not run; submit them and wait for your fence, or discard the ticket");
  return slot;
}

void close_ticket(Tickets& tickets, TicketSlot& slot) {
  tickets.retired_side = slot.side;
  tickets.waiting.pop_front();
  slot.serial = 0;
}

void discard_ticket(Tickets& tickets, Ticket ticket) {
  const auto found = find_waiting(tickets, ticket);
  TicketSlot& slot = **found;
  Tickets::Side& side = tickets.sides[slot.side];
  if (side.serial == slot.serial) side = {side.earlier, 0, side.earlier_time};
  tickets.waiting.erase(found);
  slot.serial = 0;
}

int side_of(const Tickets& tickets, Ticket ticket) {
  for (int side = 0; side < 2; ++side)
    if (ticket.serial != 0 && tickets.sides[side].serial == ticket.serial) return side;
  if (ticket.serial == 0 || ticket.serial > tickets.last)
    throw Error(named(ticket) + " was never recorded; the last is " + named({tickets.last}));
  throw Error("what " + named(ticket) +
              " drew is gone: two tickets have been recorded since, or it was discarded; use " +
              named({std::max(tickets.sides[0].serial, tickets.sides[1].serial)}));
}

}  // namespace sluice
