#include "payment/decision.h"

#include <array>

#include "base/enum_text.h"

namespace payonce {

std::string_view to_text(EffectState state) {
  switch (state) {
    case EffectState::pending: return "PENDING";
    case EffectState::delivered: return "DELIVERED";
    case EffectState::dead: return "DEAD";
  }
  return "";
}

std::optional<EffectState> parse_effect_state(std::string_view text) {
  return find_by_text(std::array{EffectState::pending, EffectState::delivered, EffectState::dead}, text);
}

std::string_view to_text(NoticeDisposition disposition) {
  switch (disposition) {
    case NoticeDisposition::applied: return "applied";
    case NoticeDisposition::misfit: return "misfit";
    case NoticeDisposition::unmatched: return "unmatched";
    case NoticeDisposition::foreign: return "foreign";
  }
  return "";
}

std::optional<NoticeDisposition> parse_notice_disposition(std::string_view text) {
  using enum NoticeDisposition;
  return find_by_text(std::array{applied, misfit, unmatched, foreign}, text);
}

std::string_view to_text(CallKind kind) {
  switch (kind) {
    case CallKind::create: return "create";
    case CallKind::query: return "query";
    case CallKind::close: return "close";
    case CallKind::refund: return "refund";
    case CallKind::query_refund: return "query_refund";
    case CallKind::capture: return "capture";
    case CallKind::query_capture: return "query_capture";
  }
  return "";
}

}  // namespace payonce
