#include "simulate/shops.h"

#include <memory>
#include <utility>

namespace payonce::simulate {

namespace {

using namespace std::chrono_literals;

// The order that a message is about.
int order_in(std::string_view body) {
  std::string_view const mark = R"("order_id":")";
  auto const at = body.find(mark);
  if (at == std::string_view::npos) return Chronicle::everyone;
  body.remove_prefix(at + mark.size());
  return Stage::order_of(body.substr(0, body.find('"')));
}

HttpAnswer no_answer(Delivery delivery, std::string_view why) {
  HttpAnswer answer;
  answer.delivery = delivery;
  answer.error = why;
  return answer;
}

}  // namespace

HttpAnswer Shop::take(HttpCall const& call) {
  int const order = order_in(call.body);
  std::string const id{find_header(call.headers, "webhook-id").value_or("")};
  HttpAnswer answer;
  answer.delivery = Delivery::answered;
  answer.status = 503;
  if (stage_.happens(Trouble::shop_refuses, order)) return answer;
  stage_.tell(order, "the shop takes {}", id);
  ++stage_.deeds.deliveries;
  ++received_[id];
  auto const [at, is_new] = bodies_.emplace(id, call.body);
  if (!is_new && at->second != call.body)
    stage_.accuse(6, order, fmt::format("effect {} came twice with different content", id));
  answer.status = 204;
  return answer;
}

void ShopLine::send(HttpCall call, Done done) {
  int const order = order_in(call.body);
  auto const waiting = std::make_shared<Done>(std::move(done));
  auto const answer_after = [&stage = stage_, node = node_, waiting](Millis delay, HttpAnswer answer) {
    stage.agenda.at(stage.agenda.now() + delay, node,
                    [waiting, answer = std::move(answer)]() mutable { (*waiting)(std::move(answer)); });
  };
  if (stage_.happens(Trouble::call_not_sent, order))
    return answer_after(1ms, no_answer(Delivery::never_sent, "simulated: not sent"));
  if (stage_.happens(Trouble::call_lost, order))
    return answer_after(call.total_timeout, no_answer(Delivery::in_doubt, "simulated: lost"));
  Millis const back = stage_.between(1ms, 100ms, order);
  stage_.after(stage_.between(1ms, 100ms, order),
               [&stage = stage_, &shop = shop_, order, back, answer_after, call = std::move(call)] {
                 HttpAnswer answer = shop.take(call);
                 if (stage.happens(Trouble::shop_answer_lost, order))
                   return answer_after(call.total_timeout, no_answer(Delivery::in_doubt, "simulated: answer lost"));
                 answer_after(back, std::move(answer));
               });
}

}  // namespace payonce::simulate
