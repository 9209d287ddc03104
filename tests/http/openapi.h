// Whether an answer is one that the interface's description (openapi.json) speaks of: path, method, status, headers and
// every field. A small checker for the part of JSON Schema that the description uses; a keyword it does not know is a
// fault, so that nothing goes unchecked.
#pragma once

#include <boost/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_message.h"

namespace payonce::test {

using Faults = std::vector<std::string>;

class OpenApi {
 public:
  explicit OpenApi(std::string_view text);
  // The one that the service serves.
  static OpenApi const& ours();

  // Empty if the description knows this answer to this request.
  Faults faults_of(std::string_view method, std::string_view target, int status, HttpHeaders const& headers,
                   std::string const& body) const;
  // What in the value is not as the schema (or $ref) says; `at` names the value.
  Faults faults_of(boost::json::value const& value, boost::json::object const& schema, std::string const& at) const;
  // Examples that do not fit their own schema, and references that lead nowhere.
  Faults faults_of_itself() const;
  // "GET /v1/orders/{}", as routes.cpp writes it.
  std::set<std::string> operations() const;

 private:
  boost::json::object const& resolve(boost::json::object const& object) const;
  boost::json::object const* find_operation(std::string_view method, std::string_view target, bool& path_exists) const;
  void check(boost::json::value const& value, boost::json::object const& schema, std::string const& at,
             Faults& faults) const;
  void check_object(boost::json::object const& value, boost::json::object const& schema, std::string const& at,
                    Faults& faults) const;
  void check_headers(boost::json::object const& response, HttpHeaders const& headers, Faults& faults) const;
  void check_body(boost::json::object const& response, HttpHeaders const& headers, std::string const& body,
                  Faults& faults) const;
  void check_examples(boost::json::value const& part, std::string const& at, Faults& faults) const;

  boost::json::value const document_;
};

}  // namespace payonce::test
