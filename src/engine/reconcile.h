// The verb "reconcile": hold a provider's statement of a day against the books. What it tells of payments and refunds
// goes through the rules like every other evidence; what does not fit becomes a discrepancy that a person sees.
// Repeating it changes nothing, whatever became of it the first time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/settings.h"

namespace payonce {

struct ReconcileRequest {
  std::string provider;
  std::string day;                       // 2026-01-02, as the provider cuts its days
  std::vector<MerchantId> merchants;     // whose payments go through the provider
  std::optional<std::string> file = {};  // the statement; fetched from the provider if it is not given
};

struct Reconciled {
  int lines = 0;
  int payments = 0;
  int refunds = 0;
  int others = 0;   // that belong to no payment of ours: payouts, monthly fees, sales of other systems
  int known = 0;    // payments and refunds that an earlier reading had
  int missing = 0;  // payments of ours that no statement has told of
};

// Errors: not_found for an unknown provider; invalid_request for a day that is not over or a file that can't be read;
// unavailable when the statement or the database can't be had. What was worked in until then stays.
void reconcile(Engine& engine, ReconcileRequest request, std::move_only_function<void(Result<Reconciled>)> done);

// Reconciles the last published day of each provider that gives statements, unless that was done. `done` runs once all
// have been tried; failures are logged and tried again next time.
void reconcile_due(Engine& engine, std::vector<Merchant> const& merchants, std::move_only_function<void()> done);

}  // namespace payonce
