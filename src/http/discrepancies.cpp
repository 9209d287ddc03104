// Differences between providers' statements and the books: the list, and a person's word that one is dealt with.
#include "base/limits.h"
#include "http/body.h"
#include "http/handlers.h"
#include "http/wire.h"

namespace payonce {

void get_discrepancies(Api& api, ExchangePtr const& exchange) {
  auto answered = [exchange](Result<std::vector<Discrepancy>> const& found) {
    if (!found) return respond_problem(*exchange, found.error());
    respond_json(*exchange, 200, discrepancies_json(*found));
  };
  api.engine().parts().reads.ask(
      [merchant = exchange->merchant](Reader& reader) {
        return reader.open_discrepancies(merchant, limits::events_page);
      },
      std::move(answered));
}

void post_resolve_discrepancy(Api& api, ExchangePtr const& exchange) {
  Body body{exchange->request};
  std::string note = body.required_text("note", limits::reason_chars);
  if (auto const valid = body.result(); !valid) return respond_problem(*exchange, valid.error());
  Engine::Parts const& parts = api.engine().parts();
  auto const exists = std::make_shared<bool>(false);
  parts.committer.submit_work(
      [exists, note = std::move(note), id = exchange->segment(2), merchant = exchange->merchant,
       actor = exchange->actor, now = parts.clock.now()](Writer& writer) {
        *exists = writer.resolve_discrepancy(merchant, id, actor, note, now);
        if (*exists) writer.insert_audit({merchant, actor, "discrepancy.resolved", id, now});
      },
      [exists, exchange](Result<void> const& done) {
        if (!done) return respond_problem(*exchange, done.error());
        if (!*exists)
          return respond_problem(*exchange,
                                 {ErrorCode::not_found, "There is no such open discrepancy of this merchant"});
        respond_json(*exchange, 200, R"({"state":"RESOLVED"})");
      });
}

}  // namespace payonce
