// One callable out of several, to visit a variant with one case per type.
#pragma once

namespace payonce {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

}  // namespace payonce
