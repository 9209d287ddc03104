// The provider port: what a connector has to do. A connector translates and sends; it decides nothing and repeats
// nothing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/http_message.h"
#include "payment/command.h"
#include "payment/decision.h"
#include "payment/statement.h"
#include "payment/terms.h"

namespace payonce {

// A notice that is genuine, or that the provider has to be asked about.
struct Notice {
  std::string event_id;
  std::string number;         // the attempt's number
  std::string refund_number;  // set when it is about a refund
  Answer answer;
  // The provider's own id of the payment, where it names no number: `name_number` then has to.
  std::string about = {};
  bool is_unproven = false;  // nothing of it may be believed before the provider was asked: `vouch`
};

// The longest that the file of a statement may take to come.
inline constexpr Millis statement_timeout{120'000};
// The longest file: a million lines, held in memory.
inline constexpr std::size_t statement_bytes_max = std::size_t{256} << 20;

class Provider {
 public:
  using Done = std::move_only_function<void(Answer)>;

  virtual ~Provider() = default;

  // Constant for the life of the provider.
  virtual ProviderTerms const& terms() const = 0;

  // Makes one call, once. `done` runs on the loop with what the answer means: exactly once, within
  // terms().call_timeout. A create sends attempt.request as it is; a refund sends refund.request.
  virtual void call(ProviderCall const& call, Done done) = 0;

  // Checks the signature over the raw bytes (or leaves the notice unproven), then reads. signature_invalid or
  // invalid_request otherwise.
  // `now` bounds the age of signed time stamps.
  virtual Result<Notice> read_notice(HttpRequest const& request, Time now) const = 0;

  // Asks the provider which of our numbers `notice.about` stands for, and completes the notice; the number stays empty
  // if it is none of ours. Nothing comes back if the provider can't be asked now. `done` runs on the loop, once.
  using Named = std::move_only_function<void(std::optional<Notice>)>;
  virtual void name_number(Notice notice, Named done) { done(std::move(notice)); }

  // Fetches the statement of a day of the provider's, as 2026-01-02: the file as it gives it, or nothing when it says
  // that nothing moved on that day. unavailable: not published yet, or it can't be had now. Asked only of a provider
  // whose terms say when statements are ready. `done` runs on the loop, once.
  using Fetched = std::move_only_function<void(Result<std::optional<std::string>>)>;
  virtual void fetch_statement(std::string const& /*day*/, Fetched done) {
    done(fail(ErrorCode::invalid_request, "this provider gives no statements"));
  }
  // Reads such a file, all of it or nothing: invalid_request, naming the line, if it is not a whole one of this day.
  virtual Result<Statement> read_statement(std::string_view /*file*/, std::string const& /*day*/) const {
    return fail(ErrorCode::invalid_request, "this provider gives no statements");
  }

  // What the provider wants to read when its notice is safe with us, or (false) should be sent again.
  virtual HttpResponse acknowledge(bool is_safe) const = 0;

  // Asks the provider whether a notice that read_notice left unproven is its own. Nothing comes back if it can't be
  // asked now. `done` runs on the loop, once.
  using Vouched = std::move_only_function<void(std::optional<bool>)>;
  virtual void vouch(HttpRequest const&, Vouched done) { done(false); }
};

}  // namespace payonce
