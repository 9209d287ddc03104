// What is begun on a payment and ends by itself, a refund or a capture, is answered in one way.
#pragma once

#include "engine/wait.h"
#include "http/handlers.h"
#include "http/prefer.h"

namespace payonce {

template <class Row>
using RowJson = std::string (*)(OrderId const&, Row const&);

template <class Row>
HttpHeaders headers_for(Row const& row, bool is_replay) {
  HttpHeaders headers;
  if (is_replay) headers.push_back({"Idempotency-Replayed", "true"});
  if (!needs_no_waiting(row)) headers.push_back({"Retry-After", "1"});
  return headers;
}

// The answer to who began it, or repeated that.
template <class Row>
void respond_begun(Exchange& exchange, Reply const& reply, Row const& row, RowJson<Row> json, bool is_strict) {
  bool const is_replay = reply.kind == ReplyKind::confirmed;
  bool const is_running = !needs_no_waiting(row);
  if (is_replay && is_running && is_strict)
    return respond_problem(exchange, {ErrorCode::request_in_progress,
                                      "The first request with this key is still running; ask again later"});
  int const status = is_running ? 202 : is_replay ? 200 : 201;
  respond_json(exchange, status, json(reply.order->key.order, row), headers_for(row, is_replay));
}

// Answers with the row of this id as soon as it moves on, or as it stands when the wait is over.
template <class Id, class Row, class Found>
void poll(Api& api, ExchangePtr const& exchange, Id id, std::optional<Found> (Reader::*find)(Id const&),
          Row Found::* row, RowJson<Row> json) {
  auto const wait = read_wait(exchange->target.parameter("wait"));
  if (!wait) return respond_problem(*exchange, wait.error());
  exchange->wait = *wait;
  auto found = [&api, exchange, row, json, wait = *wait](Result<std::optional<Found>> answer) {
    if (!answer) return respond_problem(*exchange, answer.error());
    if (!*answer || (*answer)->key.merchant != exchange->merchant)
      return respond_problem(*exchange, {ErrorCode::not_found, "There is no such thing of this merchant's payments"});
    Row& now = (**answer).*row;
    auto const moved_on = [state = now.state](Row const& later) {
      return !is_watched(later.state) || later.state != state;
    };
    auto respond = [exchange, json, order = (*answer)->key.order](Row const& later) {
      respond_json(*exchange, 200, json(order, later), headers_for(later, false));
    };
    wait_until(api.engine(), std::move(now), wait, moved_on, std::move(respond));
  };
  api.engine().parts().reads.ask([id = std::move(id), find](Reader& reader) { return (reader.*find)(id); },
                                 std::move(found));
}

}  // namespace payonce
