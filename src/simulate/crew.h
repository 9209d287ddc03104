// Many runs by several processes at once. What comes of them is told in their order, however many processes there are.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <vector>

#include "simulate/run.h"

namespace payonce::simulate {

class Crew {
 public:
  using Work = std::function<Tally(int)>;

  // The runs 0, 1, … up to `runs` are shared out among `jobs` processes; a single one is this process itself, which
  // works when it is asked. Throws std::runtime_error when a process can't be started.
  Crew(int jobs, int runs, Work work);
  // Ends what is still at work.
  ~Crew();
  Crew(Crew const&) = delete;
  Crew& operator=(Crew const&) = delete;

  // What came of the next run; nothing if its process died over it. At most `runs` times.
  std::optional<Tally> next();

 private:
  struct Member {
    pid_t process;
    int tallies;
  };
  void start_member(int first, int step, int runs);

  Work const work_;
  std::vector<Member> members_;  // run i is made by the one numbered i modulo how many they are
  int next_ = 0;
};

}  // namespace payonce::simulate
