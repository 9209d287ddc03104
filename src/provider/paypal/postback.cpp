#include "provider/paypal/postback.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "provider/json_fields.h"
#include "provider/paypal/classify.h"

namespace payonce::paypal {

namespace json = boost::json;

std::string postback(HttpRequest const& event, std::string_view webhook_id) {
  json::object question{{"webhook_id", webhook_id}};
  constexpr std::pair<char const*, char const*> sources[] = {{"auth_algo", "PAYPAL-AUTH-ALGO"},
                                                             {"cert_url", "PAYPAL-CERT-URL"},
                                                             {"transmission_id", "PAYPAL-TRANSMISSION-ID"},
                                                             {"transmission_sig", "PAYPAL-TRANSMISSION-SIG"},
                                                             {"transmission_time", "PAYPAL-TRANSMISSION-TIME"}};
  for (auto const& [name, header] : sources) question[name] = event.header(header).value_or("");
  std::string text = json::serialize(question);
  text.pop_back();
  return fmt::format(R"({},"webhook_event":{}}})", text, event.body);
}

std::optional<bool> read_postback(HttpAnswer const& answer) {
  bool const is_answer = answer.delivery == Delivery::answered && answer.status == 200;
  auto const object = is_answer ? parse_object(answer.body) : std::nullopt;
  std::string const verdict = object ? text_at(*object, "verification_status") : std::string{};
  if (verdict == "SUCCESS") return true;
  return verdict == "FAILURE" ? std::optional{false} : std::nullopt;
}

}  // namespace payonce::paypal
