#include "drill/shop_endpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/clock.h"
#include "base/id.h"
#include "base/random.h"
#include "drill/backstage.h"
#include "engine/effect_message.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t copies_at_once = 8;
constexpr std::size_t orders_needed = 3;

bool takes(int status) { return status >= 200 && status < 300; }
bool refuses(int status) { return status >= 400 && status < 500; }

class ShopDrill {
 public:
  explicit ShopDrill(ShopDrillOptions const& options)
      : options_(options), target_{options.effect, options.url, {options.secret}} {
    for (std::size_t i = 0; i < orders_needed; ++i)
      orders_.push_back(options.orders.empty() ? "drill-" + mint_suffix(clock_.now(), random_) : options.orders[i]);
  }

  int run() {
    repeated();
    at_once();
    not_genuine();
    out_of_order();
    std::cout << (stands_all_ ? "the shop stands it all" : "the shop does NOT stand it all");
    if (options_.count_url.empty())
      std::cout << "; nobody counted what it shipped: name --shipped to have that counted";
    std::cout << '\n';
    return stands_all_ ? 0 : 1;
  }

 private:
  // The effect of a payment of this order, as payonce itself would send it.
  HttpCall effect_of(std::string const& order, Time sent_at) {
    DueEffect due{.effect = {}, .attempt = {.amount = {100, Currency::of("CNY")}}};
    due.attempt.id = mint_attempt_id(clock_.now(), random_);
    due.attempt.provider = "drill";
    due.effect.key.order = OrderId{order};
    due.effect.attempt = due.attempt.id;
    due.effect.name = options_.effect;
    due.effect.created_at = clock_.now();
    return effect_call(due, target_, sent_at);
  }
  HttpCall effect_of(std::string const& order) { return effect_of(order, clock_.now()); }

  int send(HttpCall call) { return backstage_.call(std::move(call)).status; }

  void report(std::string_view what, bool stands, std::string const& why) {
    stands_all_ = stands_all_ && stands;
    std::cout << fmt::format("{:<9} {}{}\n", stands ? "stands" : "DOES NOT", what, stands ? "" : ": " + why);
  }

  // The first number in what the shop answers.
  void expect_shipped(std::string const& order, int expected) {
    if (options_.count_url.empty()) return;
    std::string url = options_.count_url;
    if (auto const at = url.find("{order}"); at != std::string::npos) url.replace(at, 7, order);
    HttpAnswer const answer = backstage_.call({.url = url, .idempotent = true});
    auto const digits = answer.body.find_first_of("0123456789");
    int const shipped = digits == std::string::npos ? -1 : std::atoi(answer.body.c_str() + digits);
    report(fmt::format("shipped {} {}", order, expected == 1 ? "once" : "never"), shipped == expected,
           fmt::format("{} says {}", url, answer.body.substr(0, 80)));
  }

  void repeated() {
    HttpCall const call = effect_of(orders_[0]);
    int const first = send(call);
    report("a genuine effect is taken", takes(first), fmt::format("the answer is {}", first));
    int const second = send(call);
    report("the same again is taken too, or it would come for days", takes(second),
           fmt::format("the answer is {}", second));
    expect_shipped(orders_[0], 1);
  }

  void at_once() {
    HttpCall const call = effect_of(orders_[1]);
    std::vector<Backstage::Pending> pending = backstage_.send_all(std::vector<HttpCall>(copies_at_once, call));
    int taken = 0;
    int refused = 0;
    for (auto& one : pending) {
      int const status = one.get().status;
      taken += takes(status) ? 1 : 0;
      // 410 would end it for good; other answers make it come again.
      refused += status == 410 ? 1 : 0;
    }
    report(fmt::format("{} copies at once: one of them is taken, none is refused for good", copies_at_once),
           taken > 0 && refused == 0, fmt::format("{} taken, {} refused", taken, refused));
    int const later = send(call);
    report("and one more a little later", takes(later), fmt::format("the answer is {}", later));
    expect_shipped(orders_[1], 1);
  }

  void not_genuine() {
    auto const refused = [&](std::string_view what, HttpCall call) {
      int const status = send(std::move(call));
      report(what, refuses(status), fmt::format("the answer is {}", status));
    };
    auto const header = [](HttpCall& call, std::string_view name) -> std::string& {
      return std::ranges::find(call.headers, name, &HttpHeader::name)->value;
    };
    HttpCall forged = effect_of(orders_[2]);
    header(forged, "webhook-signature") = "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    refused("a forged signature is refused", forged);
    HttpCall changed = effect_of(orders_[2]);
    changed.body += ' ';
    refused("a body that was changed on its way is refused", changed);
    HttpCall renamed = effect_of(orders_[2]);
    header(renamed, "webhook-id") += "2";
    refused("a genuine effect under another id is refused", renamed);
    refused("a recording from ten minutes ago is refused", effect_of(orders_[2], clock_.now() - 10min));
    HttpCall bare = effect_of(orders_[2]);
    std::erase_if(bare.headers, [](HttpHeader const& one) { return one.name.starts_with("webhook-"); });
    refused("one without any signature is refused", bare);
    expect_shipped(orders_[2], 0);
  }

  // Effects of different orders come in any order.
  void out_of_order() {
    int const status = send(effect_of(orders_[2], clock_.now() - 60s));
    report("one that was sent before those is taken after them", takes(status),
           fmt::format("the answer is {}", status));
    expect_shipped(orders_[2], 1);
  }

  using Backstage = drill::Backstage;

  ShopDrillOptions const& options_;
  EffectTarget const target_;
  std::vector<std::string> orders_;
  SystemClock clock_;
  SystemRandom random_;
  Backstage backstage_;
  bool stands_all_ = true;
};

}  // namespace

int drill_shop(ShopDrillOptions const& options) { return ShopDrill{options}.run(); }

}  // namespace payonce
