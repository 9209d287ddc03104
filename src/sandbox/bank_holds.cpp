// Captures of holds: the part of the bank's rules that only charges with a hold need.
#include "base/id.h"
#include "sandbox/bank.h"

namespace payonce::sandbox {

namespace {

std::string_view difference(Capture const& capture, CreateCapture const& request) {
  if (capture.charge_number != request.charge_number) return "charge_number";
  if (capture.amount_minor != request.amount_minor) return "amount";
  if (capture.currency != request.currency) return "currency";
  return capture.is_final == request.is_final ? "" : "final";
}

}  // namespace

CaptureReply Bank::capture(CreateCapture const& request, Time now) {
  if (auto const found = capture_numbers_.find(request.number); found != capture_numbers_.end()) {
    Capture const& capture = captures_[found->second];
    auto const field = difference(capture, request);
    return {.verdict = field.empty() ? Verdict::done : Verdict::number_reused, .capture = capture, .field = field};
  }
  auto const charged = numbers_.find(request.charge_number);
  if (charged == numbers_.end() || charged->second.charges.empty()) return {.verdict = Verdict::not_found};

  std::size_t const index = charged->second.charges.back();
  Charge& charge = charges_[index];
  Capture capture;
  capture.id = "cp_" + mint_suffix(now, random_);
  capture.number = request.number;
  capture.charge_number = request.charge_number;
  capture.order = charge.order;
  capture.amount_minor = request.amount_minor;
  capture.currency = request.currency;
  capture.is_final = request.is_final;
  capture.code = capture_refusal(request, charge);
  capture.state = capture.code.empty() ? CaptureState::succeeded : CaptureState::declined;
  capture.created_at = now;
  changes_.push_back({.row = capture});
  restore(capture);
  if (capture.state == CaptureState::declined) return {.capture = std::move(capture)};

  charge.captured_minor += capture.amount_minor;
  if (capture.is_final || charge.captured_minor == charge.amount_minor)
    set_state(index, ChargeState::succeeded, {});
  else
    changes_.push_back({.row = charge});
  return {.capture = std::move(capture)};
}

// Why the capture must be declined, or empty.
std::string_view Bank::capture_refusal(CreateCapture const& request, Charge const& charge) const {
  if (request.forced_decline) return "capture_declined";
  if (charge.state != ChargeState::authorized) return "charge_not_held";
  if (charge.currency != request.currency) return "currency_mismatch";
  return request.amount_minor > charge.amount_minor - charge.captured_minor ? "exceeds_hold" : "";
}

CaptureReply Bank::query_capture(std::string_view number) const {
  auto const found = capture_numbers_.find(number);
  if (found == capture_numbers_.end()) return {.verdict = Verdict::not_found};
  return {.capture = captures_[found->second]};
}

std::vector<Capture> Bank::captures_of(std::string_view charge_number) const {
  std::vector<Capture> found;
  if (auto const at = captures_of_charge_.find(charge_number); at != captures_of_charge_.end())
    for (std::size_t const index : at->second)
      if (captures_[index].state == CaptureState::succeeded) found.push_back(captures_[index]);
  return found;
}

void Bank::restore(Capture capture) {
  auto const [place, fresh] = capture_numbers_.try_emplace(capture.number, captures_.size());
  if (!fresh) {
    captures_[place->second] = std::move(capture);
    return;
  }
  captures_of_charge_[capture.charge_number].push_back(place->second);
  captures_.push_back(std::move(capture));
}

std::string_view Bank::order_of_capture(std::string_view number) const {
  auto const found = capture_numbers_.find(number);
  return found == capture_numbers_.end() ? std::string_view{} : std::string_view{captures_[found->second].order};
}

}  // namespace payonce::sandbox
