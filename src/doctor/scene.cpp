#include "doctor/scene.h"

namespace payonce {

namespace {

constexpr Time noon{Millis{1'800'000'000'000}};

Money amount(std::int64_t minor) { return {minor, Currency::of("CNY")}; }

}  // namespace

Scene::Scene(Store& store_in, std::string url_in)
    : store(store_in),
      url(std::move(url_in)),
      one(store.open_writer()),
      other(store.open_writer()),
      reader(store.open_reader()) {}

OrderKey Scene::fresh_order() { return {MerchantId{"conformance"}, OrderId{"order-" + std::to_string(++orders_)}}; }

OrderHead Scene::head(OrderKey const& key) {
  return {.key = key,
          .amount = amount(1'000),
          .policy = Policy::single,
          .state = OrderState::open,
          .paid_minor = 0,
          .held_minor = 0,
          .metadata = {},
          .created_at = noon,
          .updated_at = noon};
}

Attempt Scene::attempt(OrderKey const& key, std::string const& number) {
  Attempt it{.id = AttemptId{key.order.value + "." + number}, .amount = amount(1'000)};
  it.key = key.order.value + " " + number;
  it.fingerprint = std::string(64, 'f');
  it.provider = "none";
  it.due_at = it.expires_at = it.created_at = it.updated_at = noon;
  return it;
}

Attempt Scene::succeeded(Attempt it) {
  it.state = AttemptState::succeeded;
  it.evidence = Evidence::response;
  it.due_at.reset();
  it.settled_at = noon;
  return it;
}

Attempt Scene::held(Attempt it) {
  it.state = AttemptState::authorized;
  it.evidence = Evidence::response;
  return it;
}

Capture Scene::capture(Attempt const& attempt, std::string const& number, std::int64_t minor) {
  Capture it{.id = CaptureId{attempt.id.value + "." + number}, .attempt = attempt.id, .amount = amount(minor)};
  it.key = "key of " + it.id.value;
  it.state = CaptureState::succeeded;
  it.evidence = Evidence::response;
  it.created_at = it.updated_at = noon;
  return it;
}

Refund Scene::refund(Attempt const& attempt, std::string const& number, std::int64_t minor) {
  Refund it{.id = RefundId{attempt.id.value + "." + number}, .amount = amount(minor)};
  it.attempt = attempt.id;
  it.key = "key of " + it.id.value;
  it.reason = "request";
  it.due_at = it.created_at = it.updated_at = noon;
  return it;
}

Effect Scene::effect(OrderKey const& key, Attempt const& attempt) {
  Effect it;
  it.key = key;
  it.attempt = attempt.id;
  it.name = "ship";
  it.due_at = it.created_at = noon;
  return it;
}

TimelineEvent Scene::event(OrderKey const& key, std::string const& type) {
  TimelineEvent it;
  it.key = key;
  it.type = type;
  it.at = noon;
  return it;
}

void Scene::write(Writer& writer, WriteSet const& rows) {
  writer.begin();
  writer.write(rows);
  writer.commit();
}

bool Scene::is_refused(WriteSet const& rows) {
  try {
    write(rows);
    return false;
  } catch (StoreError const& error) {
    one->rollback();
    return error.kind == StoreError::Kind::refused || error.kind == StoreError::Kind::conflict;
  }
}

}  // namespace payonce
