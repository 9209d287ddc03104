// Checks that the timeline is a story without gaps which the transition tables allow.
#include <algorithm>

#include "payment/transition.h"
#include "verify/rules.h"

namespace payonce {

namespace {

// What the timeline tells of one payment or refund: its steps from state to state.
struct Story {
  int invariant;  // that a broken story breaks
  std::string_view subject;
  std::string_view state;  // as the row has it
  std::vector<TimelineEvent const*> steps;
};

Story story_of(OrderBooks const& books, Attempt const& attempt) {
  Story story{2, attempt.id.value, to_text(attempt.state), {}};
  for (auto const& [sequence, event] : books.timeline)
    if (event.attempt == attempt.id && event.refund.empty() && !event.to.empty()) story.steps.push_back(&event);
  return story;
}

Story story_of(OrderBooks const& books, Refund const& refund) {
  Story story{8, refund.id.value, to_text(refund.state), {}};
  for (auto const& [sequence, event] : books.timeline)
    if (event.refund == refund.id && !event.to.empty()) story.steps.push_back(&event);
  return story;
}

bool attempt_may(std::string_view from, std::string_view to) {
  auto const before = parse_attempt_state(from);
  auto const after = parse_attempt_state(to);
  return before && after &&
         std::ranges::any_of(events, [&](Event event) { return next_state(*before, event) == *after; });
}

bool refund_may(std::string_view from, std::string_view to) {
  auto const before = parse_refund_state(from);
  auto const after = parse_refund_state(to);
  return before && after &&
         std::ranges::any_of(outcomes, [&](Outcome outcome) { return next_state(*before, outcome) == *after; });
}

// Only the birth and our own decision to release need nobody's word.
bool needs_evidence(TimelineEvent const& step) {
  return !step.from.empty() && step.from != step.to && step.to != to_text(AttemptState::released);
}

void check_story(Story const& story, bool (*may)(std::string_view, std::string_view), Findings& findings) {
  std::string_view at;
  for (TimelineEvent const* step : story.steps) {
    findings.require(step->from == at, story.invariant, story.subject,
                     "was \"{}\", and the timeline goes on from \"{}\" to {}", at, step->from, step->to);
    // That a success is left is said under its own invariant.
    bool const is_birth = step->from.empty();
    bool const is_taken_back =
        step->to == to_text(AttemptState::disputed) || step->to == to_text(AttemptState::reversed);
    bool const leaves_success =
        step->from == to_text(AttemptState::succeeded) && step->to != step->from && !is_taken_back;
    findings.require(is_birth || leaves_success || may(step->from, step->to), story.invariant, story.subject,
                     "went from {} to {}, which no event allows", step->from, step->to);
    findings.require(!leaves_success, 7, story.subject, "succeeded and then became {}", step->to);
    findings.require(!needs_evidence(*step) || step->evidence, story.invariant, story.subject,
                     "went from {} to {} without evidence", step->from, step->to);
    at = step->to;
  }
  findings.require(at == story.state, story.invariant, story.subject, "is {}, the timeline ends with \"{}\"",
                   story.state, at);
}

void check_birth(Attempt const& attempt, Story const& story, Findings& findings) {
  auto const births = std::ranges::count_if(story.steps, [](TimelineEvent const* step) { return step->from.empty(); });
  findings.require(births == 1, 3, story.subject, "is born {} times in the timeline", births);
  auto const created =
      std::ranges::count_if(story.steps, [](TimelineEvent const* step) { return step->type == "payment.created"; });
  // Money booked by a person has succeeded from the start.
  auto const wanted = attempt.provider == "offline" ? 0 : 1;
  findings.require(created == wanted, 3, story.subject, "has {} payment.created events", created);
}

void check_order_story(OrderBooks const& books, Findings& findings) {
  auto const count = [&](std::string_view type) {
    return std::ranges::count_if(books.timeline, [&](StoredEvent const& it) { return it.event.type == type; });
  };
  auto const registered = count("order.registered");
  findings.require(registered == 1, 9, "", "it is registered {} times in the timeline", registered);
  bool const is_closed = books.order.head.state == OrderState::closed;
  auto const closed = count("order.closed");
  findings.require(closed == (is_closed ? 1 : 0), 9, "", "it is {} and has {} order.closed events",
                   to_text(books.order.head.state), closed);
}

}  // namespace

void check_timeline(OrderBooks const& books, Findings& findings) {
  // What is left of a story says nothing of how it began.
  if (!books.is_whole) return;
  check_order_story(books, findings);
  for (Attempt const& attempt : books.order.attempts) {
    Story const story = story_of(books, attempt);
    check_birth(attempt, story, findings);
    check_story(story, attempt_may, findings);
  }
  for (Refund const& refund : books.order.refunds) check_story(story_of(books, refund), refund_may, findings);
  for (auto const& [sequence, event] : books.timeline)
    findings.require(event.attempt.empty() || books.order.find(event.attempt), 9, event.attempt.value,
                     "stands in the timeline ({}) but not in the books", event.type);
}

}  // namespace payonce
