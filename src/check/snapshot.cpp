#include "check/snapshot.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace payonce::check {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29);
}

// Whether and how often a payment was taken up, and what it rests on, matters only to those who began it and do not
// know yet what came of it.
void forget_what_does_not_matter(Cell& cell) {
  bool const is_begun_somewhere =
      cell.commit_in_doubt || std::ranges::any_of(cell.flights, [](Flight const& it) { return it.is_first == fresh; });
  if (!is_begun_somewhere) {
    if (cell.was_taken_up == 0) cell.was_taken_up = 2;
    cell.evidence = AttemptState{cell.state} == AttemptState::processing ? 0 : 1;
  }
  if (!is_watched(AttemptState{cell.state})) cell.ledger_age = 0;
  for (RefundCell& refund : cell.refunds) {
    if (!refund.is_there) continue;
    refund.was_taken_up = 1;
    refund.has_evidence = RefundState{refund.state} != RefundState::processing;
  }
  for (CaptureCell& capture : cell.captures) {
    if (!capture.is_there) continue;
    capture.was_taken_up = 1;
    capture.has_evidence = CaptureState{capture.state} != CaptureState::processing;
  }
}

}  // namespace

State canonical(State state) {
  for (Cell& cell : state.cells) {
    if (!cell.is_there) continue;
    forget_what_does_not_matter(cell);
    std::ranges::sort(cell.flights, std::greater{});
    for (RefundCell& refund : cell.refunds) std::ranges::sort(refund.flights, std::greater{});
    for (CaptureCell& capture : cell.captures) std::ranges::sort(capture.flights, std::greater{});
    std::ranges::sort(cell.refunds, std::greater{});
    std::ranges::sort(cell.captures, std::greater{});
  }
  std::ranges::sort(state.cells, std::greater{});
  return state;
}

std::uint64_t fingerprint(State const& state) {
  std::array<std::uint64_t, (sizeof(State) + 7) / 8> words = {};
  std::memcpy(words.data(), &state, sizeof(State));
  std::uint64_t hash = 0x51'7C'C1'B7'27'22'0A'95ULL;
  for (std::uint64_t const word : words) hash = mix(hash, word);
  return mix(mix(hash, hash >> 32), 0x2545F4914F6CDD1DULL);
}

}  // namespace payonce::check
