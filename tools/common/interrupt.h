// Ctrl-C, SIGTERM and a closed terminal, noticed by a thread of their own instead of a handler.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace sluice::program {

// While one exists, the signals only set `requested`. Make it before any other thread (a driver's included): threads
// inherit the signal mask, and one that does not block the signals would still be killed by them.
// Whoever sees the request sets `seen`. If nobody does for kPatience, as a submit takes too long or the device hangs,
// or if the signal comes again, `last_words` is called in the watching thread and the program exits with code 130.
struct Interrupt {
  explicit Interrupt(std::function<void()> last_words);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;

  static constexpr int kPatience = 1500;  // ms

  std::atomic<bool> requested{false}, seen{false}, stopped{false};
  std::function<void()> last_words;
  std::thread watcher;
};

}  // namespace sluice::program
