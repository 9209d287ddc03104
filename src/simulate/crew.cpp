#include "simulate/crew.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace payonce::simulate {

namespace {

// Tallies pass between processes as bytes, each in one write that a pipe keeps together.
static_assert(std::is_trivially_copyable_v<Tally> && sizeof(Tally) <= 4096);

bool write_tally(int to, Tally const& tally) {
  return ::write(to, &tally, sizeof tally) == static_cast<ssize_t>(sizeof tally);
}

bool read_tally(int from, Tally& tally) {
  std::size_t got = 0;
  while (got < sizeof tally) {
    ssize_t const size = ::read(from, reinterpret_cast<char*>(&tally) + got, sizeof tally - got);
    if (size <= 0) return false;
    got += static_cast<std::size_t>(size);
  }
  return true;
}

}  // namespace

Crew::Crew(int jobs, int runs, Work work) : work_(std::move(work)) {
  int const count = std::min(jobs, runs);
  if (count < 2) return;
  for (int i = 0; i < count; ++i) start_member(i, count, runs);
}

void Crew::start_member(int first, int step, int runs) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe for another process of the simulation");
  pid_t const process = ::fork();
  if (process < 0) throw std::runtime_error("another process of the simulation can't be started");
  if (process == 0) {
    ::close(ends[0]);
    for (int run = first; run < runs; run += step)
      if (!write_tally(ends[1], work_(run))) break;
    std::_Exit(0);
  }
  ::close(ends[1]);
  members_.push_back({process, ends[0]});
}

Crew::~Crew() {
  for (Member const& member : members_) {
    ::kill(member.process, SIGKILL);
    ::close(member.tallies);
    ::waitpid(member.process, nullptr, 0);
  }
}

std::optional<Tally> Crew::next() {
  int const run = next_++;
  if (members_.empty()) return work_(run);
  Tally tally;
  if (!read_tally(members_[static_cast<std::size_t>(run) % members_.size()].tallies, tally)) return std::nullopt;
  return tally;
}

}  // namespace payonce::simulate
