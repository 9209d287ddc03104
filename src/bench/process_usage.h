// What a process has used so far, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace payonce::bench {

// User and system time of all its threads; 0 if there is no such process.
std::chrono::microseconds cpu_time(pid_t pid);
// Resident memory in MiB.
double resident_mb(pid_t pid);

}  // namespace payonce::bench
