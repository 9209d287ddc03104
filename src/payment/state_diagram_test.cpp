// docs/reference/states.md shows what the tables say, and speaks of every state.
#include "payment/state_diagram.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "payment/transition.h"

namespace payonce {
namespace {

std::string page() {
  std::ifstream file{PAYONCE_SOURCE_DIR "/docs/reference/states.md"};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> diagrams_in(std::string_view text) {
  std::string_view const opening = "```mermaid\n";
  std::vector<std::string> found;
  for (auto at = text.find(opening); at != std::string_view::npos; at = text.find(opening, at)) {
    at += opening.size();
    found.emplace_back(text.substr(at, text.find("```", at) - at));
  }
  return found;
}

TEST(StatesPage, ShowsTheDiagramsOfTheTables) {
  EXPECT_EQ(diagrams_in(page()), (std::vector{attempt_diagram(), capture_diagram(), refund_diagram()}))
      << "docs/reference/states.md is not what the tables say; put these in:\n"
      << attempt_diagram() << capture_diagram() << refund_diagram();
}

TEST(StatesPage, SaysWhatEachStateMeans) {
  std::string const text = page();
  auto const has_row = [&](std::string_view name) {
    return text.find("| `" + std::string{name} + "` |") != std::string::npos;
  };
  for (auto const state : attempt_states) EXPECT_TRUE(has_row(to_text(state))) << to_text(state);
  for (auto const state : capture_states) EXPECT_TRUE(has_row(to_text(state))) << to_text(state);
  for (auto const state : refund_states) EXPECT_TRUE(has_row(to_text(state))) << to_text(state);
  for (auto const state : order_states) EXPECT_TRUE(has_row(to_text(state))) << to_text(state);
  for (auto const event : events) EXPECT_TRUE(has_row(to_text(event))) << to_text(event);
}

TEST(StateDiagram, HasOneArrowPerChangeAndNoneFromSuccessToFailure) {
  std::string const text = attempt_diagram();
  EXPECT_TRUE(text.starts_with("stateDiagram-v2\n    [*] --> PROCESSING\n"));
  EXPECT_NE(text.find("    UNKNOWN --> FAILED: declined\n"), std::string::npos);
  EXPECT_NE(text.find("    FAILED --> SUCCEEDED: succeeded\n"), std::string::npos);
  EXPECT_NE(text.find("    PROCESSING --> UNKNOWN: not_found, in_doubt\n"), std::string::npos);
  EXPECT_NE(text.find("    SUCCEEDED --> DISPUTED: dispute_opened\n"), std::string::npos);
  EXPECT_EQ(text.find("SUCCEEDED --> FAILED"), std::string::npos);
}

}  // namespace
}  // namespace payonce
