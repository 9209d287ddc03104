#include "verify/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace payonce {

namespace {

// Longer texts are in the database; here they would hide the rest.
constexpr std::size_t shown_bytes_max = 400;

std::string shown(std::string_view text) {
  std::string plain{text.substr(0, shown_bytes_max)};
  for (char& c : plain)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text.size() > shown_bytes_max ? plain + fmt::format(" … ({} bytes)", text.size()) : plain;
}

std::string when(Time due, Time now) {
  auto const seconds = (due - now).count() / 1000;
  if (due <= now) return fmt::format("{} (overdue by {} s)", to_rfc3339(due), -seconds);
  return fmt::format("{} (in {} s)", to_rfc3339(due), seconds);
}

// One labelled line under a payment.
std::string line(std::string_view label, std::string_view text) { return fmt::format("  {:<9} {}\n", label, text); }

std::string event_line(TimelineEvent const& event) {
  std::string text = to_rfc3339(event.at);
  std::string_view const subject = event.refund.empty() ? event.attempt.value : event.refund.value;
  text += fmt::format("  {:<30}  {:<22} ", subject.empty() ? "order" : subject, event.type);
  if (!event.from.empty() && event.from != event.to) text += fmt::format(" {} → {}:", event.from, event.to);
  text += " " + shown(event.text);
  if (!event.actor.empty()) text += fmt::format(" By {}.", shown(event.actor));
  return text + "\n";
}

std::string why_due(Attempt const& attempt) {
  if (!attempt.exposed) return "nothing of it has left us, so that it is sent then";
  if (attempt.cancel_requested) return "it is to be closed at its provider, and only the provider's proof ends it";
  switch (attempt.state) {
    case AttemptState::processing: return "the provider has it or is being called; if nothing comes, it is asked then";
    case AttemptState::requires_action: return "the provider is asked whether the buyer has finished";
    case AttemptState::unknown: return "the money may have moved, so that the provider is asked until it tells";
    case AttemptState::authorized: return "the hold ends about then, and the provider is asked what became of it";
    case AttemptState::released: return "it may still charge, so that it is watched until it can't";
    case AttemptState::succeeded:
    case AttemptState::failed:
    case AttemptState::canceled:
    case AttemptState::disputed:
    case AttemptState::reversed: return "it has ended";
  }
  return "";
}

std::string answer_text(std::optional<Evidence> evidence, std::string const& code, std::string const& answer) {
  if (!evidence) return "nothing yet";
  return fmt::format("{}{}{}{}{}", to_text(*evidence), code.empty() ? "" : ", code ", shown(code),
                     answer.empty() ? "" : ": ", shown(answer));
}

std::string effect_text(Effect const& effect, Time now) {
  std::string text =
      fmt::format("{}{}{}: {} after {} {}", effect.name, effect.refund.empty() ? "" : " of ", effect.refund.value,
                  to_text(effect.state), effect.tries, effect.tries == 1 ? "try" : "tries");
  if (effect.delivered_at) text += ", delivered " + to_rfc3339(*effect.delivered_at);
  if (effect.due_at) text += ", next try " + when(*effect.due_at, now);
  if (!effect.last_error.empty()) text += ", last error: " + shown(effect.last_error);
  return text;
}

std::string notice_text(NoticeRow const& notice) {
  std::string text = fmt::format("{} at {}: {}{}{}, {}", shown(notice.event_id), to_rfc3339(notice.received_at),
                                 to_text(notice.answer.outcome), notice.refund_number.empty() ? "" : " of refund ",
                                 shown(notice.refund_number), to_text(notice.disposition));
  if (notice.billed) text += ", in the statement of " + notice.billed->day;
  if (notice.billed && notice.billed->fee) text += ", fee " + to_text(*notice.billed->fee);
  return text;
}

std::string refund_text(Refund const& refund, Time now) {
  std::string text = fmt::format("{} of {} ({}) is {}; sent: {}; answered: {}", refund.id.value, to_text(refund.amount),
                                 refund.reason, to_text(refund.state), shown(refund.request),
                                 answer_text(refund.evidence, refund.answer_code, refund.answer));
  if (refund.due_at) text += fmt::format("; the provider is asked {}", when(*refund.due_at, now));
  if (!refund.review.empty()) text += "; ALARM: " + shown(refund.review);
  return text;
}

std::string capture_text(Capture const& capture, Time now) {
  std::string text =
      fmt::format("{} of {}{} is {}; sent: {}; answered: {}", capture.id.value, to_text(capture.amount),
                  capture.is_final ? " (the last one)" : "", to_text(capture.state), shown(capture.request),
                  answer_text(capture.evidence, capture.answer_code, capture.answer));
  if (capture.due_at) text += fmt::format("; the provider is asked {}", when(*capture.due_at, now));
  return text;
}

std::string payment_section(OrderBooks const& books, Attempt const& it, Time now) {
  std::string text = fmt::format("\nPayment {}: {} by {}, {}{}\n", it.id.value, to_text(it.amount), it.provider,
                                 to_text(it.state), it.surplus ? ", surplus" : "");
  text += line("asked", fmt::format("{} under key \"{}\"{}{}", to_rfc3339(it.created_at), shown(it.key),
                                    it.method.empty() ? "" : ", method ", shown(it.method)));
  if (it.first_sent_at)
    text += line("sent", fmt::format("{}{}: {}", to_rfc3339(*it.first_sent_at), it.exposed ? "" : " (did not leave us)",
                                     shown(it.request)));
  text += line("answered", answer_text(it.evidence, it.answer_code, it.answer));
  if (!it.provider_ref.empty()) text += line("known as", shown(it.provider_ref) + " at the provider");
  if (it.due_at)
    text += line("next", fmt::format("{}: {}; {} looks so far, expires {}", when(*it.due_at, now), why_due(it),
                                     it.tries, to_rfc3339(it.expires_at)));
  if (it.settled_at) text += line("ended", to_rfc3339(*it.settled_at));
  for (NoticeRow const& notice : books.notices)
    if (notice.number == it.id.value) text += line("notice", notice_text(notice));
  for (Effect const& effect : books.effects)
    if (effect.attempt == it.id) text += line("effect", effect_text(effect, now));
  for (Capture const& capture : books.order.captures)
    if (capture.attempt == it.id) text += line("capture", capture_text(capture, now));
  for (Refund const& refund : books.order.refunds)
    if (refund.attempt == it.id) text += line("refund", refund_text(refund, now));
  if (!it.review.empty()) text += line("ALARM", shown(it.review));
  return text;
}

}  // namespace

std::string tell_story(OrderBooks const& books, AttemptId const& payment, Time now) {
  OrderHead const& head = books.order.head;
  std::string text =
      fmt::format("Order {} of {}: {}, {}, paid {}, held {}\n\n", head.key.order.value, head.key.merchant.value,
                  to_text(head.amount), to_text(head.state), to_decimal({head.paid_minor, head.amount.currency}),
                  to_decimal({head.held_minor, head.amount.currency}));
  if (!books.is_whole)
    text += fmt::format("What happened until {} is in the archive; name it by --archive.\n",
                        to_rfc3339(*books.archived_at));
  for (auto const& [sequence, event] : books.timeline)
    if (payment.empty() || event.attempt.empty() || event.attempt == payment) text += event_line(event);
  for (Attempt const& attempt : books.order.attempts)
    if (payment.empty() || attempt.id == payment) text += payment_section(books, attempt, now);
  return text + "\nThe truth: " + truth_of(books.order) + "\n";
}

}  // namespace payonce
