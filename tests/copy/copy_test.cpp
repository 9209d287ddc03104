// Moving books between databases: whole or not at all, every field of every row, and cursors of the feed stay good.
#include "copy/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "store/rows.h"
#include "support/books_database.h"
#include "support/run_command.h"

namespace payonce::test {

namespace {

using Shop = BooksDatabase;

std::string hash_of(std::string_view merchant, char last) {
  std::string hash(63, merchant[0] == 'S' ? 'a' : 'b');
  return hash + last;
}

// Something in every column.
void fill(Shop const& shop) {
  auto const store = shop.open();
  auto const writer = store->open_writer();
  for (std::string const merchant : {"shop", "Shop"}) {
    auto const key = order_key("PA-1", merchant);
    Attempt first = failed(processing("pay_1" + merchant, "k-1"));
    Attempt paying = succeeded(processing("pay_2" + merchant, "k-2"));
    Attempt extra = surplus(processing("pay_3" + merchant, "k-3"));
    for (Attempt* it : {&first, &paying, &extra}) {
      it->method = "card";
      it->metadata = R"({"a": "ä"})";
      it->answer = std::string("\0\xff", 2);
      it->provider_ref = "ref";
      it->action_url = "https://bank.example/1";
      it->tries = 3;
      it->cancel_requested = true;
    }
    extra.review = "look at it";
    Refund back = refund_of(extra, "ref_1" + merchant, 1999, "surplus");
    back.answer_code = "WAIT";
    Posting const posting = posting_of(key, paying);
    Effect delivered = effect_of(key, paying, "ship");
    delivered.state = EffectState::delivered;
    delivered.due_at.reset();
    delivered.delivered_at = noon;
    delivered.last_error = "503 once";
    TimelineEvent event = event_of(key, "payment.succeeded");
    event.attempt = paying.id;
    event.refund = back.id;
    event.from = "PROCESSING";
    event.to = "SUCCEEDED";
    event.evidence = Evidence::response;
    event.actor = "anna";
    event.code = "OK";
    event.text = "Paid.";
    NoticeRow unmatched = notice_of("evt_2" + merchant, "pay_nobody");
    unmatched.disposition = NoticeDisposition::unmatched;
    unmatched.due_at = noon;
    unmatched.answer.amount = cny(7);
    unmatched.billed = {"2026-01-02", cny(-1)};
    Discrepancy unknown{.id = "dis_1", .merchant = MerchantId{merchant}, .amount = cny(7)};
    unknown.provider = "sandbox";
    unknown.day = "2026-01-02";
    unknown.text = "nobody knows it";
    unknown.found_at = noon;
    unmatched.body = std::string("\0\x01", 2);
    writer->begin();
    writer->write(Changes{}
                      .add(paid(head_of(key)))
                      .add(head_of(order_key("pa-1", merchant)))
                      .add(key, first)
                      .add(key, paying)
                      .add(key, extra)
                      .add(key, back)
                      .add(delivered)
                      .add(effect_of(key, paying, "points"))
                      .add(event_of(key, "order.registered"))
                      .add(event)
                      .add(posting)
                      .add(notice_of("evt_1" + merchant, paying.id.value))
                      .add(unmatched)
                      .add(unknown));
    writer->put_statement({"sandbox", "2026-01-02", std::string(64, 'd'), 2, noon});
    writer->insert_api_key({MerchantId{merchant}, "till", hash_of(merchant, '1'), noon, std::nullopt});
    writer->insert_api_key({MerchantId{merchant}, "till", hash_of(merchant, '2'), noon, noon + Millis{5}});
    writer->insert_audit({MerchantId{merchant}, "anna", "api_key.created", "till", noon});
    writer->insert_audit({MerchantId{merchant}, "berta", "api_key.revoked", "till", noon});
    writer->commit();
  }
  // More than one page.
  Changes many;
  for (int i = 0; i < 600; ++i) {
    auto const key = order_key("many-" + std::to_string(i));
    many.add(head_of(key)).add(event_of(key, "order.registered")).add(notice_of("evt_m" + std::to_string(i), "x"));
  }
  writer->begin();
  writer->write(many);
  writer->commit();
}

std::vector<StoredEvent> feed(Shop const& shop, std::int64_t after = 0) {
  return shop.open()->open_reader()->events_after(MerchantId{"shop"}, after, 10'000);
}

Comparison compared(Shop const& from, Shop const& to) {
  auto const source = from.archive();
  auto const target = to.archive();
  return compare_books(*source, *target);
}

Finished command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "copy");
  return run_command(add_copy, std::move(arguments));
}

Finished copy(Shop const& from, Shop const& to) { return command({"--from", from.url(), "--to", to.url()}); }

struct Direction {
  char const* name;
  bool from_postgres;
  bool to_postgres;
};

class Copy : public ::testing::TestWithParam<Direction> {
 protected:
  Shop const from{GetParam().from_postgres};
  Shop const to{GetParam().to_postgres};
};

INSTANTIATE_TEST_SUITE_P(AllDirections, Copy,
                         ::testing::Values(Direction{"SqliteToPostgres", false, true},
                                           Direction{"PostgresToSqlite", true, false},
                                           Direction{"SqliteToSqlite", false, false},
                                           Direction{"PostgresToPostgres", true, true}),
                         [](auto const& info) { return std::string{info.param.name}; });

}  // namespace

TEST_P(Copy, EveryRowComesOverAndCursorsOfTheFeedStayGood) {
  fill(from);
  Finished const done = copy(from, to);
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_NE(done.output.find("compared 604 orders, 6 payments"), std::string::npos) << done.output;
  Comparison const result = compared(from, to);
  EXPECT_TRUE(result.differences.empty()) << result.differences.front();
  EXPECT_EQ(result.counts.orders, 604);
  EXPECT_EQ(result.counts.payments, 6);
  EXPECT_EQ(result.counts.refunds, 2);
  EXPECT_EQ(result.counts.events, 604);
  EXPECT_EQ(result.counts.effects, 4);
  EXPECT_EQ(result.counts.notices, 604);
  EXPECT_EQ(result.counts.api_keys, 4);
  EXPECT_EQ(result.counts.audit_rows, 4);

  // The same cursors, and what happens from now on stands behind all of them.
  auto const before = feed(from);
  auto const after = feed(to);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].sequence, after[i].sequence);
  auto const store = to.open();
  auto const writer = store->open_writer();
  writer->begin();
  writer->write(Changes{}.add(event_of(order_key("PA-1"), "next")));
  writer->commit();
  auto const fresh = feed(to, before.back().sequence);
  ASSERT_EQ(fresh.size(), 1u);
  EXPECT_EQ(fresh[0].event.type, "next");
}

TEST_P(Copy, ATargetThatHoldsAnythingIsRefusedAndLeftAsItIs) {
  fill(from);
  for (int kind = 0; kind < 4; ++kind) {
    Shop const other{GetParam().to_postgres};
    {
      auto const store = other.open();
      auto const writer = store->open_writer();
      writer->begin();
      if (kind == 0) writer->write(Changes{}.add(head_of(order_key("mine"))));
      if (kind == 1) writer->write(Changes{}.add(notice_of("evt", "foreign")));
      if (kind == 3) writer->insert_api_key({MerchantId{"shop"}, "till", hash_of("shop", '3'), noon, std::nullopt});
      if (kind == 2) writer->insert_audit({MerchantId{"shop"}, "anna", "a", "b", noon});
      writer->commit();
    }
    Finished const refused = copy(from, other);
    EXPECT_EQ(refused.status, 1) << kind;
    EXPECT_NE(refused.output.find("not empty: nothing was copied"), std::string::npos) << refused.output;
    EXPECT_EQ(other.archive()->orders_after({}, 10).size(), kind == 0 ? 1u : 0u);
  }
  ASSERT_EQ(copy(from, to).status, 0);
  EXPECT_EQ(copy(from, to).status, 1) << "a second time";
  EXPECT_EQ(command({"--from", from.url(), "--to", to.url(), "--compare"}).status, 0);
}

TEST_P(Copy, WhatEndsBeforeTheCommitLeavesNoTrace) {
  fill(from);
  {
    auto const source = from.archive();
    auto const target = to.archive();
    target->insert(source->orders_after({}, 500));
    target->insert(source->notices_after({}, 500));
    target->insert(source->api_keys());
  }
  EXPECT_TRUE(is_empty(*to.archive()));
  EXPECT_EQ(copy(from, to).status, 0) << "so it can be run again";
}

TEST_P(Copy, ADifferenceInAnyTableIsFound) {
  fill(from);
  ASSERT_EQ(copy(from, to).status, 0);
  std::string const open_timeline = GetParam().to_postgres ? "DROP TRIGGER events_are_not_deleted ON attempt_events; "
                                                           : "DROP TRIGGER events_are_not_deleted; ";
  std::string const open_journal = GetParam().to_postgres ? "DROP TRIGGER journal_is_not_changed ON journal; "
                                                          : "DROP TRIGGER journal_is_not_deleted; ";
  for (auto const& [table, there, back] : std::vector<std::array<std::string, 3>>{
           {"orders", "UPDATE orders SET metadata = 'x'", "UPDATE orders SET metadata = ''"},
           {"payment_attempts", "UPDATE payment_attempts SET tries = 4", "UPDATE payment_attempts SET tries = 3"},
           {"refunds", "UPDATE refunds SET answer_code = 'x'", "UPDATE refunds SET answer_code = 'WAIT'"},
           {"effects", "UPDATE effects SET last_error = last_error || 'x'",
            "UPDATE effects SET last_error = replace(last_error, 'x', '')"},
           {"processed_webhook_events", "UPDATE processed_webhook_events SET misfit = 'x' WHERE event_id = 'evt_2shop'",
            "UPDATE processed_webhook_events SET misfit = ''"},
           {"api_keys", "UPDATE api_keys SET name = 'thief' WHERE merchant_id = 'Shop' AND revoked_at IS NULL",
            "UPDATE api_keys SET name = 'till'"},
           {"effects", "DELETE FROM effects WHERE name = 'points'", ""},
           {"attempt_events", open_timeline + "DELETE FROM attempt_events WHERE type = 'payment.succeeded'", ""},
           {"journal", open_journal + "DELETE FROM journal WHERE merchant_id = 'shop'", ""},
           {"audit_log",
            "INSERT INTO audit_log (merchant_id, actor, action, detail, at) VALUES ('shop', '', '', '', 1)", ""}}) {
    ASSERT_TRUE(to.execute(there)) << there;
    Comparison const result = compared(from, to);
    ASSERT_FALSE(result.differences.empty()) << there;
    bool const is_named =
        std::ranges::any_of(result.differences, [&](std::string const& it) { return it.starts_with(table); });
    EXPECT_TRUE(is_named) << there << ": " << result.differences.front();
    if (!back.empty()) {
      ASSERT_TRUE(to.execute(back)) << back;
      auto const again = compared(from, to);
      EXPECT_TRUE(again.differences.empty()) << back << ": " << again.differences.front();
    }
  }
  EXPECT_EQ(command({"--from", from.url(), "--to", to.url(), "--compare"}).status, 2);
}

TEST_P(Copy, ASourceThatAServiceHasOpenIsRefused) {
  fill(from);
  auto const store = from.open();
  auto const reader = store->open_reader();
  reader->backlog();  // idle from here on
  EXPECT_EQ(copy(from, to).status, 1);
  EXPECT_TRUE(is_empty(*to.archive()));
}

TEST(CopyToPostgres, BytesThatAreNoTextAreReplacedAndCounted) {
  Shop const from{false};
  Shop const to{true};
  {
    auto const store = from.open();
    auto const writer = store->open_writer();
    Attempt it = processing("pay_1", "k-1");
    it.answer_code = std::string("cut \xe5\x86\0", 7);
    writer->begin();
    writer->write(Changes{}.add(head_of(order_key("PA-1"))).add(order_key("PA-1"), it));
    writer->commit();
  }
  ASSERT_EQ(copy(from, to).status, 0);
  EXPECT_EQ(compared(from, to).mended, 1u);
}

TEST(CopyCommand, ASourceThatIsNotThereIsNotMade) {
  Shop const from{false};
  Shop const to{false};
  EXPECT_EQ(copy(from, to).status, 1);
  EXPECT_FALSE(std::filesystem::exists(from.url().substr(7)));
}

TEST(CopyCommand, APasswordIsNotShown) {
  EXPECT_EQ(shown("postgresql://shop:hunter2@db.example.com:5432/books?password=hunter2"),
            "postgresql://db.example.com:5432/books");
  EXPECT_EQ(shown("postgres:///books"), "postgres:///books");
  EXPECT_EQ(shown("sqlite:a@b.db"), "sqlite:a@b.db");
}

}  // namespace payonce::test
