#include "sandbox/record.h"

#include <gtest/gtest.h>

namespace payonce::sandbox {
namespace {

constexpr Time at{std::chrono::milliseconds{1'760'000'000'123}};

TEST(Record, every_row_is_read_back_as_it_was_written) {
  Charge const charge{.id = "ch_1",
                      .number = "pay_1",
                      .order = "订单 \"1\"",
                      .amount_minor = 1999,
                      .currency = "USD",
                      .method = "pending",
                      .dialect = "stripe",
                      .expires_at = at,
                      .state = ChargeState::pending,
                      .code = "",
                      .created_at = at,
                      .succeeds_at = at};
  Charge plain = charge;
  plain.expires_at.reset();
  plain.succeeds_at.reset();
  plain.state = ChargeState::declined;
  plain.code = "card_declined";
  Refund const refund{.id = "re_1",
                      .number = "ref_1",
                      .charge_number = "pay_1",
                      .order = "A1",
                      .amount_minor = 5,
                      .currency = "USD",
                      .reason = "line\nbreak",
                      .state = RefundState::declined,
                      .code = "exceeds_charge",
                      .created_at = at};
  Charge held = charge;
  held.hold_until = at;
  held.captured_minor = 500;
  held.state = ChargeState::authorized;
  Capture const capture{.id = "cp_1",
                        .number = "cap_1",
                        .charge_number = "pay_1",
                        .order = "A1",
                        .amount_minor = 500,
                        .currency = "USD",
                        .is_final = false,
                        .state = CaptureState::succeeded,
                        .code = "",
                        .created_at = at};
  NoticeChain const chain{.id = "nc_1",
                          .dialect = "stripe",
                          .url = "http://shop",
                          .bodies = {"{}", "{\"a\":1}"},
                          .delay = Millis{5},
                          .wrong_signature = true};
  Record const records[] = {JournalHead{},
                            charge,
                            plain,
                            refund,
                            held,
                            capture,
                            BarredNumber{"pay_2"},
                            CallRecord{Call::query, "pay_1", "A1", Fault::drop_after, at},
                            CallRecord{Call::create, "pay_1", "A1", Fault::none, at},
                            chain,
                            NoticeEnded{"nc_1"},
                            Memo{"stripe.key", "pay_1", "{\"status\":200}"}};
  for (Record const& record : records) {
    std::string const line = to_line(record);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    auto const read = parse_line(line);
    ASSERT_TRUE(read) << line << ": " << read.error().detail;
    EXPECT_TRUE(*read == record) << line;
  }
}

TEST(Record, what_is_no_row_is_refused_with_a_reason) {
  std::pair<std::string_view, std::string_view> const lines[] = {
      {"", "not JSON"},
      {"[]", "not an object"},
      {R"({"row":"poem"})", "poem"},
      {R"({"row":"barred"})", "\"number\" must be given"},
      {R"({"row":"sandbox_journal","version":2})", "another version"},
      {R"({"row":"charge","id":"ch_1","number":"n","amount":"12","currency":"USD","status":"succeeded"})",
       "\"amount\""},
      {R"({"row":"charge","id":"ch_1","number":"n","amount":12,"currency":"USD","status":"odd"})", "\"status\""},
      {R"({"row":"notice","id":"nc_1","bodies":[]})", "\"bodies\""},
  };
  for (auto const& [line, reason] : lines) {
    auto const read = parse_line(line);
    ASSERT_FALSE(read) << line;
    EXPECT_NE(read.error().detail.find(reason), std::string::npos) << read.error().detail;
  }
}

}  // namespace
}  // namespace payonce::sandbox
