#include "provider/paypal/notice.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/certificate.h"
#include "base/crypto.h"
#include "base/log.h"
#include "provider/answers.h"
#include "provider/json_fields.h"
#include "provider/paypal/classify.h"
#include "provider/paypal/holds.h"

namespace payonce::paypal {

namespace {

namespace json = boost::json;

constexpr std::size_t certificates_max = 16;
constexpr std::string_view domain = ".paypal.com";

std::unexpected<Error> refuse(std::string why) {
  return fail(ErrorCode::signature_invalid, "PayPal's signature " + std::move(why));
}

// Nothing that a notice says is in doubt: an unknown status means that there is something to ask about.
void settle_doubt(Answer& answer) {
  if (answer.outcome == Outcome::in_doubt) answer.outcome = Outcome::pending;
}

// dispute_outcome.outcome_code of
// https://github.com/paypal/paypal-rest-api-specifications/blob/main/openapi/customer_disputes_v1.json; the others
// leave open who has the money.
constexpr StatusMeaning dispute_ends[] = {
    {"RESOLVED_BUYER_FAVOUR", Outcome::dispute_lost},
    {"RESOLVED_SELLER_FAVOUR", Outcome::dispute_won},
    {"CANCELED_BY_BUYER", Outcome::dispute_won},
};

void read_dispute(Notice& notice, std::string_view type, json::object const& dispute) {
  auto const* transaction = first_at(dispute, "disputed_transactions");
  if (!transaction) return;
  notice.number = parse_mark(text_at(*transaction, "custom")).payment;
  notice.about = text_at(*transaction, "seller_transaction_id");
  notice.answer.outcome = Outcome::pending;
  if (type == "CUSTOMER.DISPUTE.CREATED") notice.answer.outcome = Outcome::dispute_opened;
  if (type != "CUSTOMER.DISPUTE.RESOLVED") return;
  auto const* end = object_at(dispute, "dispute_outcome");
  std::string const code = end ? text_at(*end, "outcome_code") : std::string{};
  Outcome const outcome = outcome_in(dispute_ends, code);
  if (outcome == Outcome::in_doubt)
    notice.answer.misfit = "the dispute ended with \"" + code.substr(0, 64) + "\"; see at PayPal who has the money";
  else
    notice.answer.outcome = outcome;
}

// The capture that a refund is of, by the link to it.
std::string capture_of_refund(json::object const& refund) {
  std::string const address = link_in(refund, "up");
  return address.substr(address.rfind('/') + 1);
}

void read_resource(Notice& notice, std::string_view type, json::object const& resource) {
  if (type.starts_with("CUSTOMER.DISPUTE.")) return read_dispute(notice, type, resource);
  if (type.starts_with("CHECKOUT.ORDER.")) {
    auto const* unit = first_at(resource, "purchase_units");
    notice.number = unit ? text_at(*unit, "custom_id") : std::string{};
    // The buyer agreed; we capture when we look at it next.
    notice.answer.outcome = Outcome::pending;
    notice.answer.provider_ref = text_at(resource, "id");
    return;
  }
  Mark const mark = parse_mark(text_at(resource, "custom_id"));
  if (type.starts_with("PAYMENT.AUTHORIZATION.")) {
    notice.number = mark.payment;
    notice.answer = read_authorization(resource);
    // That it is over does not say whether something was captured before.
    if (notice.answer.outcome != Outcome::authorized) notice.answer.outcome = Outcome::pending;
    return;
  }
  bool const is_refund = !mark.refund.empty();
  bool const is_capture = type == "PAYMENT.CAPTURE.COMPLETED" || type == "PAYMENT.CAPTURE.PENDING" ||
                          type == "PAYMENT.CAPTURE.DENIED" || type == "PAYMENT.CAPTURE.DECLINED";
  bool const is_outside = !is_refund && (type == "PAYMENT.CAPTURE.REFUNDED" || type.starts_with("PAYMENT.REFUND."));
  if (is_outside) {  // made on PayPal's pages, or by another system
    notice.about = capture_of_refund(resource);
    notice.refund_number = text_at(resource, "id");
    notice.answer = read_refund(resource);
    return settle_doubt(notice.answer);
  }
  if (!is_refund && !is_capture) return;
  notice.number = mark.payment;
  notice.refund_number = mark.refund;
  notice.answer = is_refund ? read_refund(resource) : read_capture(resource);
  // One capture of several, perhaps: the order tells what came of the payment.
  if (!is_refund && is_of_hold(resource)) {
    notice.answer.outcome = Outcome::pending;
    notice.answer.amount.reset();
    notice.answer.misfit.clear();
  }
  settle_doubt(notice.answer);
}

}  // namespace

std::uint32_t crc32(std::string_view data) {
  std::uint32_t crc = ~0U;
  for (char const c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
  }
  return ~crc;
}

bool is_paypal_address(std::string_view url) {
  constexpr std::string_view scheme = "https://";
  if (!url.starts_with(scheme)) return false;
  std::string_view const host = url.substr(scheme.size(), url.find_first_of("/?#", scheme.size()) - scheme.size());
  // A port, a user or a backslash would let another host look like this one.
  bool const is_plain = host.find_first_of("@:\\%") == std::string_view::npos;
  return is_plain && host.size() > domain.size() && host.ends_with(domain);
}

SigningKeys::SigningKeys(ProviderSettings const& settings, HttpClient& http, Clock const& clock)
    : http_(http),
      clock_(clock),
      webhook_id_(settings.option("webhook_id")),
      fetched_(std::make_shared<std::map<std::string, std::optional<RsaPublicKey>>>()) {
  auto const at = settings.options.find("webhook_certificates");
  if (at == settings.options.end()) return;
  for (Secret const& secret : at->second) configured_.emplace_back(secret, &RsaPublicKey::parse);
}

std::string SigningKeys::problem() const {
  for (auto const& key : configured_)
    if (auto const parsed = key.get(); !parsed) return "webhook_certificates: " + parsed.error().detail;
  return {};
}

Result<void> SigningKeys::check_headers(HttpRequest const& request) const {
  for (std::string_view const name : {"PAYPAL-TRANSMISSION-ID", "PAYPAL-TRANSMISSION-TIME", "PAYPAL-TRANSMISSION-SIG",
                                      "PAYPAL-CERT-URL", "PAYPAL-AUTH-ALGO"})
    if (request.count(name) != 1) return refuse(fmt::format("needs one header {}", name));
  if (webhook_id_.empty()) return refuse("can't be checked without webhook_id");
  return {};
}

Result<void> SigningKeys::check(HttpRequest const& request) const {
  if (auto const whole = check_headers(request); !whole) return whole;
  if (*request.header("PAYPAL-AUTH-ALGO") != "SHA256withRSA") return refuse("is made in a way we do not know");
  std::string const text = fmt::format("{}|{}|{}|{}", *request.header("PAYPAL-TRANSMISSION-ID"),
                                       *request.header("PAYPAL-TRANSMISSION-TIME"), webhook_id_, crc32(request.body));
  auto const signature = base64_decode(*request.header("PAYPAL-TRANSMISSION-SIG"));
  if (!signature) return refuse("is not base64");
  for (auto const& key : configured_)
    if ((*key.get())->verify_sha256(text, *signature)) return {};

  std::string const url{*request.header("PAYPAL-CERT-URL")};
  if (!is_paypal_address(url)) return refuse("names a certificate that is not PayPal's");
  auto const at = fetched_->find(url);
  if (at == fetched_->end()) {
    fetch(url);
    return refuse("waits for its certificate; PayPal sends the event again");
  }
  if (!at->second) return refuse("waits for its certificate; PayPal sends the event again");
  if (!at->second->verify_sha256(text, *signature)) return refuse("does not fit these bytes");
  return {};
}

void SigningKeys::fetch(std::string const& url) const {
  // Anybody may name addresses; more than PayPal ever has at once are not kept.
  if (fetched_->size() >= certificates_max) fetched_->clear();
  fetched_->emplace(url, std::nullopt);
  HttpCall request{.url = url, .idempotent = true};
  http_.send(std::move(request), [url, fetched = fetched_, now = clock_.now()](HttpAnswer const& answer) {
    fetched->erase(url);
    if (answer.delivery != Delivery::answered || answer.status != 200)
      return log_warn("PayPal's certificate {} can't be fetched: {} {}", url, answer.status, answer.error);
    if (!is_trusted_chain(answer.body, std::string{domain}, now))
      return log_error("the certificate {} is not one of PayPal's that this system trusts", url);
    if (auto key = RsaPublicKey::parse(answer.body)) fetched->insert_or_assign(url, std::move(*key));
  });
}

Result<Notice> parse_event(std::string const& body) {
  auto const event = parse_object(body);
  if (!event) return fail(ErrorCode::invalid_request, "the notice is not a JSON object");
  Notice notice;
  notice.event_id = text_at(*event, "id");
  auto const* resource = object_at(*event, "resource");
  if (notice.event_id.empty() || !resource)
    return fail(ErrorCode::invalid_request, "the notice is no event: it lacks id or resource");
  std::string const type = text_at(*event, "event_type");
  notice.answer.text = json::serialize(*resource);
  read_resource(notice, type, *resource);
  notice.answer.code = type;
  return notice;
}

}  // namespace payonce::paypal
