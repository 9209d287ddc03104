// A shop that takes effects and answers when the test does.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "net/http_client.h"

namespace payonce::test {

inline HttpAnswer answered(int status) { return {.delivery = Delivery::answered, .status = status}; }

class ThinkingShop final : public HttpClient {
 public:
  void send(HttpCall call, Done done) override {
    ids.push_back(std::string{find_header(call.headers, "webhook-id").value_or("")});
    waiting.push_back(std::move(done));
  }
  std::vector<std::string> ids;
  std::vector<Done> waiting;
};

}  // namespace payonce::test
