#include "sandbox/stripe/kept_answers.h"

#include <boost/json.hpp>

#include "sandbox/stripe/wire.h"

namespace payonce::sandbox::stripe {

namespace json = boost::json;

namespace {

constexpr std::string_view collection = "stripe.key";
constexpr std::chrono::hours kept_for{24};

}  // namespace

KeptAnswers::Turn KeptAnswers::begin(std::string const& key) {
  if (!busy_->insert(key).second) return nullptr;
  return Turn{busy_.get(), [busy = busy_, key](void*) { busy->erase(key); }};
}

std::optional<HttpResponse> KeptAnswers::find(std::string_view key, std::string_view fingerprint) const {
  std::string const* const text = ledger_.find(collection, key);
  if (text == nullptr) return std::nullopt;
  json::value const kept = json::parse(*text);
  if (from_epoch_ms(kept.at("at").as_int64()) + kept_for <= clock_.now()) return std::nullopt;
  if (kept.at("fingerprint").as_string() != json::string_view{fingerprint.data(), fingerprint.size()})
    return error_response({.type = "idempotency_error",
                           .message = "Keys for idempotent requests can only be used with the same parameters they "
                                      "were first used with."});
  return HttpResponse{.status = static_cast<int>(kept.at("status").as_int64()),
                      .headers = {{"Content-Type", "application/json"}, {"Idempotent-Replayed", "true"}},
                      .body = std::string{kept.at("body").as_string()}};
}

void KeptAnswers::keep(std::string_view key, std::string_view fingerprint, HttpResponse const& answer) {
  json::object const kept{{"fingerprint", fingerprint},
                          {"status", answer.status},
                          {"body", answer.body},
                          {"at", to_epoch_ms(clock_.now())}};
  ledger_.keep(collection, key, json::serialize(kept));
}

}  // namespace payonce::sandbox::stripe
