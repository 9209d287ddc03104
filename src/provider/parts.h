// What a connector is built from besides its settings. All of it outlives the connector.
#pragma once

#include "base/clock.h"
#include "base/loop.h"
#include "base/random.h"
#include "net/http_client.h"

namespace payonce {

struct ProviderParts {
  HttpClient& http;
  Loop& loop;
  Clock const& clock;
  Random& random;
};

}  // namespace payonce
