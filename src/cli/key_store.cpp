#include "cli/key_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "cli/open_store.h"
#include "http/authenticate.h"

namespace payonce {

namespace {

constexpr std::string_view actor = "command line";

}  // namespace

Result<std::unique_ptr<Store>> open_migrated_store(std::string const& url) {
  auto store = open_store(url);
  if (!store) return store;
  if (auto const done = (*store)->migrate(); !done) return std::unexpected(done.error());
  return store;
}

Result<std::string> create_api_key(Store& store, MerchantId const& merchant, std::string const& name) {
  auto const keys = store.open_reader()->api_keys(merchant);
  bool const is_taken =
      std::ranges::any_of(keys, [&](ApiKeyRow const& key) { return key.name == name && !key.revoked_at; });
  if (is_taken)
    return fail(ErrorCode::invalid_request,
                fmt::format("merchant {} has a key named {} already; choose another --name", merchant.value, name));
  SystemRandom random;
  Time const now = SystemClock{}.now();
  std::string secret = mint_api_secret(now, random);
  auto const writer = store.open_writer();
  writer->begin();
  writer->insert_api_key({merchant, name, hash_api_secret(secret), now, std::nullopt});
  writer->insert_audit({merchant, std::string{actor}, "api_key.created", name, now});
  writer->commit();
  return secret;
}

Result<void> revoke_api_key(Store& store, MerchantId const& merchant, std::string const& name) {
  Time const now = SystemClock{}.now();
  auto const writer = store.open_writer();
  writer->begin();
  if (!writer->revoke_api_key(merchant, name, now)) {
    writer->rollback();
    return fail(ErrorCode::not_found, fmt::format("merchant {} has no live key named {}", merchant.value, name));
  }
  writer->insert_audit({merchant, std::string{actor}, "api_key.revoked", name, now});
  writer->commit();
  return {};
}

}  // namespace payonce
