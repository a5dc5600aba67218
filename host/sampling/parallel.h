// Work on a list in pieces at once; what comes out has the order of the list, whatever the number of threads.
#pragma once

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace sluice::io {

// Appends to `out` what work(begin, end, results) puts into its results, for pieces of [0, count) in order.
template <class T, class Work>
void append_in_pieces(std::size_t count, std::vector<T>& out, Work work) {
  constexpr std::size_t kLeast = 4096;  // of a piece: less is not worth a thread
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 64);
  const std::size_t pieces = std::clamp<std::size_t>(count / kLeast, 1, threads);
  std::vector<std::future<std::vector<T>>> jobs;
  for (std::size_t k = 0; k < pieces; ++k)
    jobs.push_back(std::async(k + 1 < pieces ? std::launch::async : std::launch::deferred,
                              [&work, begin = count * k / pieces, end = count * (k + 1) / pieces] {
                                std::vector<T> results;
                                work(begin, end, results);
                                return results;
                              }));
  std::vector<std::vector<T>> parts(pieces);
  parts.back() = jobs.back().get();  // on this thread
  for (std::size_t k = 0; k + 1 < pieces; ++k) parts[k] = jobs[k].get();
  for (std::vector<T>& part : parts) out.insert(out.end(), part.begin(), part.end());
}

}  // namespace sluice::io
