#include "sandbox/alipay/wire.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/crypto.h"
#include "base/money.h"

namespace payonce::sandbox::alipay {

namespace json = boost::json;

namespace {

constexpr std::int64_t fen_max = 10'000'000'000;  // a hundred million yuan

Currency yuan() { return Currency::of("CNY"); }

template <class Wanted>
std::string joined(Parameters const& parameters, Wanted const& is_wanted) {
  std::string text;
  for (auto const& [name, value] : parameters)
    if (is_wanted(name, value)) text += fmt::format("{}{}={}", text.empty() ? "" : "&", name, value);
  return text;
}

std::string_view message_of(std::string_view code) {
  if (code == "10000") return "Success";
  if (code == "10003") return "order success pay inprocess";
  if (code == "20000") return "Service Currently Unavailable";
  if (code == "40004") return "Business Failed";
  return "Invalid Arguments";
}

// As Alipay's JSON writer does it, so that whoever serializes anew before verifying is found out.
std::string with_escaped_slashes(std::string const& text) {
  std::string escaped;
  for (char const c : text) {
    if (c == '/') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

json::object result_object(CallResult result) {
  json::object object{{"code", result.code}, {"msg", message_of(result.code)}};
  if (!result.sub_code.empty()) {
    object["sub_code"] = result.sub_code;
    object["sub_msg"] = result.sub_code;
  }
  for (auto& field : result.fields) object[field.key()] = std::move(field.value());
  return object;
}

HttpResponse text_response(std::string body) {
  return {.headers = {{"Content-Type", "text/html;charset=utf-8"}}, .body = std::move(body)};
}

}  // namespace

std::string_view value_of(Parameters const& parameters, std::string_view name) {
  auto const found = parameters.find(name);
  return found == parameters.end() ? std::string_view{} : std::string_view{found->second};
}

std::string request_text(Parameters const& parameters) {
  return joined(parameters, [](auto const& name, auto const& value) { return name != "sign" && !value.empty(); });
}

std::string notice_text(Parameters const& parameters) {
  return joined(parameters, [](auto const& name, auto const&) { return name != "sign" && name != "sign_type"; });
}

HttpResponse answer(std::string_view method, CallResult result, AlipayKeys const& keys, bool with_certificate) {
  std::string name{method};
  for (char& c : name)
    if (c == '.') c = '_';
  std::string const inner = with_escaped_slashes(json::serialize(result_object(std::move(result))));
  std::string const certificate =
      with_certificate ? fmt::format(R"("alipay_cert_sn":"{}",)", keys.alipay_cert_sn) : std::string{};
  return text_response(fmt::format(R"({{"{}_response":{},{}"sign":"{}"}})", name, inner, certificate,
                                   base64_encode(keys.alipay_key.sign(inner))));
}

HttpResponse refused(std::string_view code, std::string_view sub_code) {
  json::object const body{{"error_response", result_object({.code = code, .sub_code = sub_code})}};
  return text_response(json::serialize(body));
}

HttpResponse failure(int status) {
  return {.status = status,
          .headers = {{"Content-Type", "text/html"}},
          .body = fmt::format("<html><head><title>{0}</title></head><body><h1>{0}</h1></body></html>", status)};
}

std::optional<std::int64_t> parse_yuan(std::string_view text) {
  auto const money = parse_decimal(text, yuan());
  if (!money || money->minor < 1 || money->minor > fen_max) return std::nullopt;
  return money->minor;
}

std::string to_yuan(std::int64_t fen) { return to_decimal({.minor = fen, .currency = yuan()}); }

}  // namespace payonce::sandbox::alipay
