// What the conformance checks play with: two nodes' writers, a reader, and a few plausible rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/store.h"

namespace payonce {

class Scene {
 public:
  // The URL's database is migrated. It waits for locks only briefly.
  Scene(Store& store, std::string url);

  // An order of its own for whoever asks.
  OrderKey fresh_order();
  static OrderHead head(OrderKey const& key);
  // A live attempt of the order; `number` makes it different from others.
  static Attempt attempt(OrderKey const& key, std::string const& number);
  static Attempt succeeded(Attempt attempt);
  static Attempt held(Attempt attempt);
  static Capture capture(Attempt const& attempt, std::string const& number, std::int64_t minor);
  static Refund refund(Attempt const& attempt, std::string const& number, std::int64_t minor);
  static Effect effect(OrderKey const& key, Attempt const& attempt);
  static TimelineEvent event(OrderKey const& key, std::string const& type);

  // One committed transaction of the first node.
  void write(WriteSet const& rows) { write(*one, rows); }
  static void write(Writer& writer, WriteSet const& rows);
  // Whether the database refuses these rows; they leave no trace then.
  bool is_refused(WriteSet const& rows);

  Store& store;
  std::string const url;
  std::unique_ptr<Writer> const one;
  std::unique_ptr<Writer> const other;
  std::unique_ptr<Reader> const reader;

 private:
  int orders_ = 0;
};

}  // namespace payonce
