// Finding an object of Stripe's by our number: Stripe knows things by its own ids only, but its lists are consistent
// and show our number in the metadata (its search is not: https://docs.stripe.com/search#data-freshness).
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "provider/errand.h"
#include "provider/stripe/requests.h"

namespace payonce::stripe {

struct Search {
  std::string path;  // with a query
  std::string metadata_key;
  std::string number;
};

// The object, or else what its absence means: not_found only if the list was read to its end.
using Found = std::move_only_function<void(std::shared_ptr<Errand>, std::optional<boost::json::object>, Answer)>;

void search(Requests const& requests, std::shared_ptr<Errand> errand, Search wanted, Found found);

}  // namespace payonce::stripe
