#include "engine/receive_notice.h"

#include "base/limits.h"
#include "base/log.h"

namespace payonce {

namespace {

HttpResponse refusal(int status) {
  HttpResponse response;
  response.status = status;
  return response;
}

ApplyNotice command_for(std::string_view provider, Notice notice, std::string const& body) {
  return {.provider = std::string{provider},
          .event_id = notice.event_id.substr(0, limits::event_id_chars),
          .number = std::move(notice.number),
          .refund_number = std::move(notice.refund_number),
          .answer = std::move(notice.answer),
          .body = body};
}

void apply(Engine& engine, Provider& provider, Notice notice, std::string const& body, Respond respond) {
  auto answered = [&engine, &provider, respond = std::move(respond)](Answered const& result) mutable {
    Engine::Parts const& parts = engine.parts();
    bool const is_safe = result.has_value();
    std::string_view const what = !is_safe                               ? "not_stored"
                                  : result->kind == ReplyKind::duplicate ? "duplicate"
                                                                         : "stored";
    parts.metrics.notice(provider.terms().name, what);
    parts.fault_points.reach("before_ack");
    respond(provider.acknowledge(is_safe));
  };
  engine.execute(command_for(provider.terms().name, std::move(notice), body), std::move(answered));
}

// To be sent again.
void put_off(Engine& engine, Provider& provider, Respond respond) {
  engine.parts().metrics.notice(provider.terms().name, "not_stored");
  respond(provider.acknowledge(false));
}

void refuse(Engine& engine, std::string_view provider, Error const& error, Respond respond) {
  bool const is_forged = error.code == ErrorCode::signature_invalid;
  engine.parts().metrics.notice(provider, is_forged ? "bad_signature" : "unreadable");
  log_warn("notice from {} refused: {}", provider, error.detail);
  respond(refusal(is_forged ? 401 : 400));
}

void take(Engine& engine, Provider& provider, Notice notice, std::string const& body, Respond respond) {
  bool const must_ask = notice.number.empty() && !notice.about.empty();
  if (!must_ask) return apply(engine, provider, std::move(notice), body, std::move(respond));
  provider.name_number(std::move(notice),
                       [&engine, &provider, body, respond = std::move(respond)](std::optional<Notice> named) mutable {
                         if (!named) return put_off(engine, provider, std::move(respond));
                         apply(engine, provider, std::move(*named), body, std::move(respond));
                       });
}

}  // namespace

void receive_notice(Engine& engine, std::string_view provider_name, HttpRequest const& request, Respond respond) {
  Engine::Parts const& parts = engine.parts();
  Provider* const provider = parts.providers.find(provider_name);
  if (!provider) return respond(refusal(404));
  auto notice = provider->read_notice(request, parts.clock.now());
  if (!notice) return refuse(engine, provider_name, notice.error(), std::move(respond));
  if (!notice->is_unproven) return take(engine, *provider, std::move(*notice), request.body, std::move(respond));
  provider->vouch(request, [&engine, provider, notice = std::move(*notice), body = request.body,
                            respond = std::move(respond)](std::optional<bool> is_genuine) mutable {
    if (!is_genuine) return put_off(engine, *provider, std::move(respond));
    if (*is_genuine) return take(engine, *provider, std::move(notice), body, std::move(respond));
    refuse(engine, provider->terms().name,
           {ErrorCode::signature_invalid, "the provider says that it did not send this", {}}, std::move(respond));
  });
}

void retry_unmatched_notices(Engine& engine, std::size_t limit, std::move_only_function<void(std::size_t)> done) {
  Engine::Parts const& parts = engine.parts();
  auto apply_all = [&engine, done = std::move(done)](Result<std::vector<NoticeRow>> due) mutable {
    if (!due) return done(0);
    for (NoticeRow& row : *due)
      engine.execute(ApplyNotice{row.provider, row.event_id, row.number, row.refund_number, row.answer, row.body},
                     [](Answered const&) {});
    done(due->size());
  };
  parts.reads.ask([now = parts.clock.now(), limit](Reader& reader) { return reader.due_notices(now, limit); },
                  std::move(apply_all));
}

}  // namespace payonce
