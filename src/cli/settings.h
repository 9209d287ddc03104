// Everything the service can be configured with. docs/reference/configuration.md lists it with units and limits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/settings.h"
#include "http/checkout_settings.h"
#include "provider/settings.h"

namespace payonce {

struct Settings {
  struct Server {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;
    Millis shutdown_deadline{20'000};
    Millis answer_patience{15'000};
  } server;
  struct Database {
    std::string url = "sqlite:payonce.db";
  } database;
  struct Log {
    std::string level = "info";   // debug, info, warn, error
    std::string format = "text";  // text, json
    bool requests = true;
  } log;
  struct Worker {
    bool deliveries = true;  // whether this node delivers effects; some other node must if it does not
  } worker;
  CheckoutSettings checkout;
  std::vector<ProviderSettings> providers;
  std::vector<Merchant> merchants;
};

}  // namespace payonce
