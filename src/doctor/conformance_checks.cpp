#include "doctor/conformance_checks.h"

#include <algorithm>
#include <set>

namespace payonce {

namespace {

constexpr Time late{Millis{1'900'000'000'000}};
constexpr std::size_t few = 2;

std::string unless(bool holds, std::string_view wrong) { return holds ? std::string{} : std::string{wrong}; }

// An order that is paid, and the attempt that paid it.
Attempt pay(Scene& scene, OrderKey const& key) {
  Attempt const paid = Scene::succeeded(Scene::attempt(key, "paid"));
  WriteSet rows;
  rows.heads.push_back({Scene::head(key), true});
  rows.attempts.push_back({key, paid, true, Policy::single});
  scene.write(rows);
  return paid;
}

std::string second_live_attempt(Scene& scene) {
  OrderKey const key = scene.fresh_order();
  WriteSet first;
  first.heads.push_back({Scene::head(key), true});
  first.attempts.push_back({key, Scene::attempt(key, "1"), true, Policy::single});
  scene.write(first);
  WriteSet second;
  second.attempts.push_back({key, Scene::attempt(key, "2"), true, Policy::single});
  return unless(scene.is_refused(second), "an order got two live payments");
}

std::string released_attempt_makes_room(Scene& scene) {
  OrderKey const key = scene.fresh_order();
  Attempt first = Scene::attempt(key, "1");
  first.state = AttemptState::released;
  WriteSet rows;
  rows.heads.push_back({Scene::head(key), true});
  rows.attempts.push_back({key, first, true, Policy::single});
  rows.attempts.push_back({key, Scene::attempt(key, "2"), true, Policy::single});
  return unless(!scene.is_refused(rows), "the partial unique index counts rows that are outside of it");
}

std::string key_is_unique(Scene& scene) {
  OrderKey const one = scene.fresh_order();
  OrderKey const two = scene.fresh_order();
  WriteSet first;
  for (OrderKey const& key : {one, two}) first.heads.push_back({Scene::head(key), true});
  first.attempts.push_back({one, Scene::attempt(one, "1"), true, Policy::single});
  scene.write(first);
  Attempt thief = Scene::attempt(two, "1");
  thief.key = Scene::attempt(one, "1").key;
  WriteSet second;
  second.attempts.push_back({two, thief, true, Policy::single});
  return unless(scene.is_refused(second), "a key belongs to two payments");
}

std::string keys_compare_byte_by_byte(Scene& scene) {
  OrderKey const key = scene.fresh_order();
  WriteSet rows;
  for (char const* const id : {"b", "B", "a", "A "})
    rows.heads.push_back({Scene::head({key.merchant, OrderId{key.order.value + id}}), true});
  scene.write(rows);
  std::vector<std::string> order;
  for (Order const& it : scene.reader->orders_after(key, few + few))
    order.push_back(it.head.key.order.value.substr(key.order.value.size()));
  return unless(order == std::vector<std::string>{"A ", "B", "a", "b"},
                "ids are sorted or told apart as words, not as bytes");
}

std::string amounts_are_checked(Scene& scene) {
  OrderHead head = Scene::head(scene.fresh_order());
  head.paid_minor = head.amount.minor;
  head.held_minor = 1;
  WriteSet rows;
  rows.heads.push_back({head, true});
  return unless(scene.is_refused(rows), "paid and held exceed the amount of an order");
}

std::string success_stays(Scene& scene) {
  OrderKey const key = scene.fresh_order();
  Attempt it = pay(scene, key);
  it.state = AttemptState::failed;
  it.answer_code = "NO";
  WriteSet rows;
  rows.attempts.push_back({key, it, false, Policy::single});
  return unless(scene.is_refused(rows), "a payment that succeeded became a failure");
}

std::string refunds_stay_within(Scene& scene) {
  OrderKey const key = scene.fresh_order();
  Attempt const paid = pay(scene, key);
  WriteSet first;
  first.refunds.push_back({key, Scene::refund(paid, "1", 600), true});
  scene.write(first);
  WriteSet second;
  second.refunds.push_back({key, Scene::refund(paid, "2", 401), true});
  if (!scene.is_refused(second)) return "refunds exceed what was captured";
  WriteSet exact;
  exact.refunds.push_back({key, Scene::refund(paid, "3", 400), true});
  return unless(!scene.is_refused(exact), "a refund of exactly the rest is refused");
}

std::string captures_stay_within(Scene& scene) {
  OrderKey const key = scene.fresh_order();
  Attempt const held = Scene::held(Scene::attempt(key, "a"));
  WriteSet rows;
  rows.heads.push_back({Scene::head(key), true});
  rows.attempts.push_back({key, held, true, Policy::single});
  rows.captures.push_back({key, Scene::capture(held, "1", 600), true});
  scene.write(rows);
  WriteSet second;
  second.captures.push_back({key, Scene::capture(held, "2", 401), true});
  if (!scene.is_refused(second)) return "captures exceed what is held";
  WriteSet exact;
  exact.captures.push_back({key, Scene::capture(held, "3", 400), true});
  return unless(!scene.is_refused(exact), "a capture of exactly the rest is refused");
}

std::string rollback_leaves_nothing(Scene& scene) {
  OrderKey const key = scene.fresh_order();
  OrderKey const good = scene.fresh_order();
  WriteSet rows;
  for (OrderKey const& it : {key, good}) rows.heads.push_back({Scene::head(it), true});
  rows.heads.back().row.held_minor = -1;
  if (!scene.is_refused(rows)) return "a negative sum was accepted";
  return unless(!scene.reader->find_order(key), "half of a transaction that failed is there");
}

std::string order_is_locked(Scene& scene) {
  OrderKey const key = scene.fresh_order();
  WriteSet rows;
  rows.heads.push_back({Scene::head(key), true});
  scene.write(rows);
  scene.one->begin();
  scene.one->load_orders({&key, 1});
  bool is_held_off = false;
  try {
    scene.other->begin();
    scene.other->load_orders({&key, 1});
  } catch (StoreError const& error) {
    is_held_off = error.kind == StoreError::Kind::conflict;
  }
  scene.other->rollback();
  scene.one->rollback();
  return unless(is_held_off, "two nodes hold the same order at the same time");
}

std::string effects_are_claimed_once(Scene& scene) {
  WriteSet rows;
  for (std::size_t i = 0; i < few + few; ++i) {
    OrderKey const key = scene.fresh_order();
    Attempt const paid = pay(scene, key);
    rows.effects.push_back(Scene::effect(key, paid));
  }
  scene.write(rows);
  std::set<std::string> taken;
  scene.one->begin();
  scene.other->begin();
  try {
    for (Writer* const worker : {scene.one.get(), scene.other.get()})
      for (DueEffect const& it : worker->claim_effects(MerchantId{"conformance"}, "ship", late, late + Millis{1}, few))
        taken.insert(it.attempt.id.value);
  } catch (StoreError const&) {
    scene.other->rollback();
    scene.one->rollback();
    return "the second worker waits for the first one: SKIP LOCKED does not skip";
  }
  scene.one->commit();
  scene.other->commit();
  return unless(taken.size() == few + few, "two workers took the same effect");
}

// What a shop sees that reads on from its last cursor again and again.
class FeedReader {
 public:
  explicit FeedReader(Reader& reader) : reader_(reader) { read(); }
  void read() {
    for (StoredEvent const& it : reader_.events_after(MerchantId{"conformance"}, cursor_, 1'000)) {
      cursor_ = it.sequence;
      seen.push_back(it.event.type);
    }
  }
  std::vector<std::string> seen;

 private:
  Reader& reader_;
  std::int64_t cursor_ = 0;
};

std::string feed_has_no_gap(Scene& scene) {
  OrderKey const one = scene.fresh_order();
  OrderKey const two = scene.fresh_order();
  WriteSet orders;
  for (OrderKey const& key : {one, two}) orders.heads.push_back({Scene::head(key), true});
  scene.write(orders);
  WriteSet early;
  early.events.push_back(Scene::event(one, "early"));
  WriteSet later;
  later.events.push_back(Scene::event(two, "later"));

  FeedReader shop{*scene.reader};
  shop.seen.clear();
  scene.one->begin();
  scene.one->load_orders({&one, 1});
  Scene::write(*scene.other, later);
  shop.read();
  scene.one->write(early);
  scene.one->commit();
  shop.read();
  std::ranges::sort(shop.seen);
  return unless(shop.seen == std::vector<std::string>{"early", "later"},
                "a reader of the feed missed an event, or saw one twice, when commits overtook each other");
}

constexpr ConformanceCheck checks[] = {
    {"second live payment is refused", "an order can be charged twice", second_live_attempt},
    {"released payment makes room", "a buyer can't switch the method", released_attempt_makes_room},
    {"idempotency key is unique", "a repeat can charge again", key_is_unique},
    {"keys compare byte by byte", "nodes lock in different orders and block each other", keys_compare_byte_by_byte},
    {"sums stay within the amount", "an order can take too much money", amounts_are_checked},
    {"success stays a success", "money that moved can be called a failure", success_stays},
    {"captures stay within what is held", "more is taken than the buyer agreed to", captures_stay_within},
    {"refunds stay within what was captured", "more goes back than came", refunds_stay_within},
    {"rollback leaves nothing", "half a payment is in the books", rollback_leaves_nothing},
    {"an order is locked by one node", "two nodes decide over one order", order_is_locked},
    {"effects are claimed once, without waiting", "the shop gets messages twice, or late", effects_are_claimed_once},
    {"feed has no gap", "a shop never hears of a payment", feed_has_no_gap},
    {"timeline is append-only", "the past can be rewritten", timeline_stays},
    {"plans use indexes", "each payment reads whole tables", plans_use_indexes},
};

}  // namespace

std::span<ConformanceCheck const> conformance_checks() { return checks; }

}  // namespace payonce
