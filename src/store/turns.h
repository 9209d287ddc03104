// What stands in for a lane's thread in a simulation: it says when the lane runs its next batch.
#pragma once

#include "base/loop.h"

namespace payonce {

class Turns {
 public:
  virtual ~Turns() = default;
  // Calls `turn` once, later, on the loop's thread. A turn that comes after the lane's end must not be called.
  virtual void give(Task turn) = 0;
};

}  // namespace payonce
