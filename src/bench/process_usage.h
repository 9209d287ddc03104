// What a process has used so far, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>

namespace payonce::bench {

struct Usage {
  std::chrono::microseconds cpu{0};  // user and system time of all its threads
  std::int64_t written_bytes = 0;    // sent to the disk, or to be

  Usage& operator+=(Usage const& other) {
    cpu += other.cpu;
    written_bytes += other.written_bytes;
    return *this;
  }
  Usage operator-(Usage const& before) const { return {cpu - before.cpu, written_bytes - before.written_bytes}; }
};

// Nothing if there is no such process.
Usage usage_of(pid_t pid);
// Of all of them together.
Usage usage_of(std::span<pid_t const> pids);
// Resident memory in MiB.
double resident_mb(pid_t pid);

}  // namespace payonce::bench
