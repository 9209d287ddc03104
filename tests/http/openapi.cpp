#include "http/openapi.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>

#include "http/assets.gen.h"

namespace payonce::test {

namespace json = boost::json;

namespace {

// Every answer may have these; the server's frame sets them.
constexpr std::array<std::string_view, 4> frame_headers{"Content-Type", "Content-Length", "Connection",
                                                        "Cache-Control"};
constexpr std::array<std::string_view, 15> known_keywords{
    "$ref",      "type",          "required", "properties",  "additionalProperties",
    "enum",      "items",         "minimum",  "maximum",     "minLength",
    "maxLength", "maxProperties", "pattern",  "description", "example"};

std::string_view text_of(json::value const& value) {
  json::string const& text = value.as_string();
  return {text.data(), text.size()};
}

bool has_type(json::value const& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  return type == "integer" && (value.is_int64() || value.is_uint64());
}

// "/v1/orders/{order_id}" to "/v1/orders/{}".
std::string as_pattern(std::string_view path) {
  return std::regex_replace(std::string{path}, std::regex{R"(\{[^}]*\})"}, "{}");
}

bool takes(std::string const& path, std::string_view target) {
  std::string expression = std::regex_replace(as_pattern(path), std::regex{R"(\.)"}, R"(\.)");
  expression = std::regex_replace(expression, std::regex{R"(\{\})"}, "[^/]*");
  std::string const asked{target.substr(0, target.find('?'))};
  return std::regex_match(asked, std::regex{expression});
}

void check_text(std::string_view text, json::object const& schema, std::string const& at, Faults& faults) {
  auto const characters = std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
  if (auto const* least = schema.if_contains("minLength"); least && characters < least->as_int64())
    faults.push_back(at + " is too short");
  if (auto const* most = schema.if_contains("maxLength"); most && characters > most->as_int64())
    faults.push_back(at + " is too long");
  auto const* pattern = schema.if_contains("pattern");
  if (pattern && !std::regex_search(std::string{text}, std::regex{std::string{text_of(*pattern)}}))
    faults.push_back(fmt::format("{} is \"{}\", not {}", at, text, text_of(*pattern)));
}

}  // namespace

OpenApi::OpenApi(std::string_view text) : document_(json::parse({text.data(), text.size()})) {}

OpenApi const& OpenApi::ours() {
  static OpenApi const ours{assets::http::openapi_json};
  return ours;
}

json::object const& OpenApi::resolve(json::object const& object) const {
  auto const* reference = object.if_contains("$ref");
  if (!reference) return object;
  return document_.at_pointer(text_of(*reference).substr(1)).as_object();
}

json::object const* OpenApi::find_operation(std::string_view method, std::string_view target, bool& path_exists) const {
  std::string lower{method};
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  for (auto const& [path, operations] : document_.at("paths").as_object()) {
    if (!takes(std::string{path}, target)) continue;
    path_exists = true;
    if (auto const* operation = operations.as_object().if_contains(lower)) return &operation->as_object();
  }
  return nullptr;
}

Faults OpenApi::faults_of(std::string_view method, std::string_view target, int status, HttpHeaders const& headers,
                          std::string const& body) const {
  Faults faults;
  bool path_exists = false;
  json::object const* const operation = find_operation(method, target, path_exists);
  if (!operation) {
    // The description says in words what an unknown path and a wrong method get.
    if (status != (path_exists ? 405 : 404)) faults.push_back(fmt::format("{} is not described there", status));
    if (status == 405 && !find_header(headers, "Allow")) faults.emplace_back("405 without Allow");
    check(json::parse(body), resolve({{"$ref", "#/components/schemas/Problem"}}), "body", faults);
    return faults;
  }
  auto const* described = operation->at("responses").as_object().if_contains(std::to_string(status));
  if (!described) return {fmt::format("{} {} does not speak of status {}: {}", method, target, status, body)};
  json::object const& response = resolve(described->as_object());
  check_headers(response, headers, faults);
  check_body(response, headers, body, faults);
  return faults;
}

void OpenApi::check_headers(json::object const& response, HttpHeaders const& headers, Faults& faults) const {
  auto const* described = response.if_contains("headers");
  for (HttpHeader const& header : headers) {
    auto const is_this = [&](std::string_view name) { return same_header_name(name, header.name); };
    if (std::ranges::any_of(frame_headers, is_this)) continue;
    bool is_known = false;
    if (described)
      for (auto const& [name, unused] : described->as_object())
        is_known = is_known || is_this({name.data(), name.size()});
    if (!is_known) faults.push_back("header " + header.name + " is not described");
  }
}

void OpenApi::check_body(json::object const& response, HttpHeaders const& headers, std::string const& body,
                         Faults& faults) const {
  auto const* content = response.if_contains("content");
  if (!content) {
    if (!body.empty()) faults.push_back("a body that is not described: " + body);
    return;
  }
  auto const type = find_header(headers, "Content-Type").value_or("");
  auto const* described = content->as_object().if_contains(type.substr(0, type.find(';')));
  if (!described) return faults.push_back("content type " + std::string{type} + " is not described");
  auto const* schema = described->as_object().if_contains("schema");
  if (!schema || !type.ends_with("json")) return;
  boost::system::error_code error;
  auto const value = json::parse(body, error);
  if (error) return faults.push_back("the body is not JSON: " + body);
  check(value, schema->as_object(), "body", faults);
}

Faults OpenApi::faults_of(json::value const& value, json::object const& schema, std::string const& at) const {
  Faults faults;
  check(value, schema, at, faults);
  return faults;
}

void OpenApi::check(json::value const& value, json::object const& given, std::string const& at, Faults& faults) const {
  json::object const& schema = resolve(given);
  for (auto const& [keyword, unused] : schema)
    if (keyword != "format" && std::ranges::find(known_keywords, std::string_view{keyword}) == known_keywords.end())
      faults.push_back(fmt::format("{}: the checker does not know {}", at, std::string_view{keyword}));
  if (auto const* type = schema.if_contains("type"); type && !has_type(value, text_of(*type)))
    return faults.push_back(fmt::format("{} is {}, not of type {}", at, json::serialize(value), text_of(*type)));
  auto const* allowed = schema.if_contains("enum");
  if (allowed && std::ranges::find(allowed->as_array(), value) == allowed->as_array().end())
    faults.push_back(fmt::format("{} is {}, which is not listed", at, json::serialize(value)));
  if (value.is_string()) check_text(text_of(value), schema, at, faults);
  if (value.is_int64()) {
    auto const* least = schema.if_contains("minimum");
    auto const* most = schema.if_contains("maximum");
    if ((least && value.as_int64() < least->as_int64()) || (most && value.as_int64() > most->as_int64()))
      faults.push_back(fmt::format("{} is {}, out of its limits", at, value.as_int64()));
  }
  if (value.is_object()) check_object(value.as_object(), schema, at, faults);
  if (auto const* items = schema.if_contains("items"); items && value.is_array())
    for (std::size_t i = 0; i < value.as_array().size(); ++i)
      check(value.as_array()[i], items->as_object(), fmt::format("{}[{}]", at, i), faults);
}

void OpenApi::check_object(json::object const& value, json::object const& schema, std::string const& at,
                           Faults& faults) const {
  if (auto const* required = schema.if_contains("required"))
    for (auto const& name : required->as_array())
      if (!value.contains(text_of(name))) faults.push_back(fmt::format("{} lacks {}", at, text_of(name)));
  if (auto const* most = schema.if_contains("maxProperties"); most && std::int64_t(value.size()) > most->as_int64())
    faults.push_back(at + " has too many fields");
  auto const* properties = schema.if_contains("properties");
  auto const* others = schema.if_contains("additionalProperties");
  for (auto const& [name, field] : value) {
    std::string const where = fmt::format("{}.{}", at, std::string_view{name});
    if (auto const* known = properties ? properties->as_object().if_contains(name) : nullptr)
      check(field, known->as_object(), where, faults);
    else if (others && others->is_object())
      check(field, others->as_object(), where, faults);
    else if (others)
      faults.push_back(where + " is not described");
  }
}

void OpenApi::check_examples(json::value const& part, std::string const& at, Faults& faults) const {
  if (auto const* list = part.if_array())
    for (auto const& one : *list) check_examples(one, at, faults);
  auto const* object = part.if_object();
  if (!object) return;
  auto const* reference = object->if_contains("$ref");
  boost::system::error_code missing;
  if (reference && !document_.find_pointer(text_of(*reference).substr(1), missing))
    return faults.push_back(fmt::format("{}: {} leads nowhere", at, text_of(*reference)));
  if (auto const* example = object->if_contains("example")) {
    auto const* schema = object->if_contains("schema");
    check(*example, schema ? schema->as_object() : *object, at + " example", faults);
  }
  for (auto const& [name, inner] : *object)
    if (name != "example") check_examples(inner, fmt::format("{}/{}", at, std::string_view{name}), faults);
}

Faults OpenApi::faults_of_itself() const {
  Faults faults;
  check_examples(document_, "", faults);
  return faults;
}

std::set<std::string> OpenApi::operations() const {
  std::set<std::string> found;
  for (auto const& [path, operations] : document_.at("paths").as_object())
    for (auto const& [method, unused] : operations.as_object()) {
      std::string upper{method};
      std::ranges::transform(upper, upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
      found.insert(upper + " " + as_pattern(path));
    }
  return found;
}

}  // namespace payonce::test
