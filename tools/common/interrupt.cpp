#include "tools/common/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <cstdlib>

#include "tools/sluice/commands.h"

namespace sluice::program {
namespace {

constexpr int kPollMilliseconds = 50;

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  // nohup ignores it, so that a run outlives its terminal.
  struct sigaction hangup {};
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
  return set;
}

void watch(Interrupt& interrupt) {
  const sigset_t set = watched_signals();
  const timespec poll{0, kPollMilliseconds * 1000000L};
  int waited = 0;
  while (!interrupt.stopped) {
    const bool signalled = sigtimedwait(&set, nullptr, &poll) > 0;
    const bool again = signalled && interrupt.requested;
    if (signalled) interrupt.requested = true;
    if (interrupt.requested && !interrupt.seen) waited += kPollMilliseconds;
    if (again || (!interrupt.seen && waited > Interrupt::kPatience)) {
      interrupt.last_words();
      std::_Exit(kInterrupted);
    }
  }
}

}  // namespace

Interrupt::Interrupt(std::function<void()> last_words_in) : last_words(std::move(last_words_in)) {
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  watcher = std::thread([this] { watch(*this); });
}

Interrupt::~Interrupt() {
  stopped = true;
  watcher.join();
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace sluice::program
