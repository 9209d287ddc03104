#include "payment/state_diagram.h"

#include <fmt/format.h>

#include "payment/transition.h"

namespace payonce {

namespace {

template <class States, class Events>
std::string diagram(States const& states, Events const& events) {
  std::string text = fmt::format("stateDiagram-v2\n    [*] --> {}\n", to_text(states.front()));
  for (auto const from : states)
    for (auto const to : states) {
      std::string causes;
      for (auto const event : events) {
        if (to == from || next_state(from, event) != to) continue;
        if (!causes.empty()) causes += ", ";
        causes += to_text(event);
      }
      if (!causes.empty()) text += fmt::format("    {} --> {}: {}\n", to_text(from), to_text(to), causes);
    }
  return text;
}

}  // namespace

std::string attempt_diagram() { return diagram(attempt_states, events); }

std::string refund_diagram() { return diagram(refund_states, outcomes); }

std::string capture_diagram() { return diagram(capture_states, outcomes); }

}  // namespace payonce
