// What buyers and postmen know of the world they live in.
#pragma once

#include <memory>
#include <vector>

#include "simulate/judge.h"
#include "simulate/node.h"

namespace payonce::simulate {

struct Town {
  Stage& stage;
  Judge& judge;
  Banks const& banks;
  std::vector<std::unique_ptr<Node>> const& nodes;

  // Where a request of this order happens to go.
  Node& some_node(int order) const { return *nodes[stage.chance_of(order).below(nodes.size())]; }
};

}  // namespace payonce::simulate
