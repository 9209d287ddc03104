// The shop's side of effects: it takes deliveries, refuses some, and knows by their ids what it has seen already.
#pragma once

#include <map>
#include <string>

#include "net/http_client.h"
#include "simulate/stage.h"

namespace payonce::simulate {

class Shop {
 public:
  explicit Shop(Stage& stage) : stage_(stage) {}

  // What the shop answers, with what it remembers of it.
  HttpAnswer take(HttpCall const& call);

  // How often each effect came, by its id.
  std::map<std::string, int> const& received() const { return received_; }

 private:
  Stage& stage_;
  std::map<std::string, int> received_;
  std::map<std::string, std::string> bodies_;
};

// One node's way to the shop.
class ShopLine final : public HttpClient {
 public:
  ShopLine(Stage& stage, Shop& shop, Agenda::Owner node) : stage_(stage), shop_(shop), node_(node) {}
  void send(HttpCall call, Done done) override;

 private:
  Stage& stage_;
  Shop& shop_;
  Agenda::Owner const node_;
};

}  // namespace payonce::simulate
