#include "http/authenticate.h"

#include "base/crypto.h"
#include "base/id.h"

namespace payonce {

namespace {

constexpr std::string_view scheme = "Bearer ";
// Bounds the memory that callers with made-up secrets could fill; only good keys are remembered, so it is never near.
constexpr std::size_t known_max = 10'000;

void refuse(Exchange& exchange) {
  respond_problem(exchange,
                  {ErrorCode::unauthorized,
                   "Send \"Authorization: Bearer <API key>\"; create a key with: payonce key create --merchant ID"});
}

}  // namespace

void Authenticator::check(ExchangePtr exchange, std::function<void(ExchangePtr)> then) {
  auto const header = exchange->request.header("Authorization");
  if (!header || !header->starts_with(scheme)) return refuse(*exchange);
  std::string hash = hash_api_secret(header->substr(scheme.size()));

  auto const known = known_.find(hash);
  if (known != known_.end() && clock_.monotonic() < known->second.until) {
    exchange->merchant = known->second.merchant;
    exchange->actor = known->second.name;
    return then(std::move(exchange));
  }
  auto found = [this, hash, exchange = std::move(exchange),
                then = std::move(then)](Result<std::optional<ApiKeyRow>> row) mutable {
    if (!row) return respond_problem(*exchange, row.error());
    if (!*row || (*row)->revoked_at) {
      known_.erase(hash);
      return refuse(*exchange);
    }
    if (known_.size() >= known_max) known_.clear();
    known_[hash] = {(*row)->merchant, (*row)->name, clock_.monotonic() + key_cache_life};
    exchange->merchant = (*row)->merchant;
    exchange->actor = (*row)->name;
    then(std::move(exchange));
  };
  reads_.ask([hash](Reader& reader) { return reader.find_api_key(hash); }, std::move(found));
}

std::string mint_api_secret(Time now, Random& random) {
  return "pok_" + mint_suffix(now, random) + mint_suffix(now, random);
}

std::string hash_api_secret(std::string_view secret) { return sha256_hex(secret); }

}  // namespace payonce
