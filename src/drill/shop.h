// The shop's end of the effects: takes each delivery, checks its signature, and remembers what it was told to do.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "net/http_message.h"

namespace payonce::drill {

class Shop {
 public:
  static constexpr std::string_view effect_names[] = {"ship", "points", "coupon"};

  explicit Shop(std::string secret) : secret_(std::move(secret)) {}

  // The secret as the configuration writes it.
  std::string secret_text() const;
  HttpHandler handler();

  // The webhook ids of an order, each once however often it came: what a correct shop acts upon.
  std::set<std::string> effects_of(std::string const& order) const;
  // What no delivery may ever be: badly signed, unreadable, sent to another effect's address.
  std::vector<std::string> complaints() const;

 private:
  void take(HttpRequest const& request);
  std::string complaint_about(HttpRequest const& request) const;

  std::string const secret_;  // raw bytes
  mutable std::mutex mutex_;
  std::map<std::string, std::set<std::string>> effects_by_order_;
  std::vector<std::string> complaints_;
};

}  // namespace payonce::drill
