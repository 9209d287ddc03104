// The state machines as Mermaid diagrams, printed from the transition tables, so that no picture can drift from them.
#pragma once

#include <string>

namespace payonce {

// `stateDiagram-v2` text that ends in a newline; one arrow per pair of states, labelled with the events that cause it.
// Events that change nothing are left out.
std::string attempt_diagram();
std::string refund_diagram();
std::string capture_diagram();

}  // namespace payonce
