// The Idempotency-Key as bytes: what senders and proxies make of it.
#include "http/api_fixture.h"

namespace payonce::test {

using namespace std::string_literals;

namespace {

std::string const order_a1 = R"({"order_id":"A1"})";
std::string const order_a2 = R"({"order_id":"A2"})";

}  // namespace

TEST_F(HttpApi, C09_AKeyThatIsNotVisibleAsciiIsRefusedAndNothingIsMade) {
  register_order("A1");
  for (std::string const& value : {"0xb7ef\xE2\x80\xA6"s + "375a", ""s, "   "s, "a\tb"s, "cl\xC3\xA9-1"s, "a b"s,
                                   "\"\""s, "\"open"s, "\"a\"b"s, R"("bad \n escape")"s, std::string(256, 'k')}) {
    Answered const answer = raw_payment("Idempotency-Key: " + value + "\r\n", order_a1);
    EXPECT_EQ(answer.status, 400) << value;
    EXPECT_EQ(answer.code(), "idempotency_key_invalid") << value;
    EXPECT_EQ(answer.text("retry"), "new_key") << value;
  }
  // A NUL is no header at all: the server's frame refuses it before the interface sees it.
  EXPECT_EQ(raw_payment("Idempotency-Key: a\0b\r\n"s, order_a1).status, 400);
  EXPECT_TRUE(list_of("A1", "payments").empty());
  EXPECT_EQ(bank_calls("A1"), 0);
  EXPECT_EQ(raw_payment("Idempotency-Key: " + std::string(255, 'k') + "\r\n", order_a1).status, 201);
}

TEST_F(HttpApi, C10_ARepeatedOrJoinedHeaderIsRefused) {
  register_order("A1");
  EXPECT_EQ(raw_payment("Idempotency-Key: k-77\r\nidempotency-key: k-77\r\n", order_a1).code(),
            "idempotency_key_invalid");
  EXPECT_EQ(raw_payment("Idempotency-Key: k-77, k-77\r\n", order_a1).code(), "idempotency_key_invalid");
  EXPECT_TRUE(list_of("A1", "payments").empty());
  EXPECT_EQ(raw_payment("Idempotency-Key: k-77\r\n", order_a1).status, 201);
}

TEST_F(HttpApi, AMissingKeyIsRefused) {
  register_order("A1");
  Answered const answer = raw_payment("", order_a1);
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.code(), "idempotency_key_missing");
  EXPECT_EQ(answer.text("field"), "Idempotency-Key");
}

TEST_F(HttpApi, C12_AKeyMadeOfAMissingValueIsRefusedOrAtLeastNeverShared) {
  register_order("A1");
  register_order("A2");
  for (auto const* const key :
       {"null", "undefined", "NaN", "[object Object]", "\"[object Object]\"", "00000000-0000-0000-0000-000000000000"})
    EXPECT_EQ(raw_payment("Idempotency-Key: "s + key + "\r\n", order_a1).code(), "idempotency_key_invalid") << key;
  EXPECT_EQ(raw_payment("Idempotency-Key: pay_undefined\r\n", order_a1).status, 201);
  Answered const other = raw_payment("Idempotency-Key: pay_undefined\r\n", order_a2);
  EXPECT_EQ(other.status, 422);
  EXPECT_EQ(other.text("field"), "order_id");
  EXPECT_EQ(other.body.find("\"payment\""), std::string::npos) << "it shows nothing of the other order";
}

TEST_F(HttpApi, C14_KeysAndOrdersThatDifferByCaseAreDifferent) {
  register_order("PA-1001");
  register_order("pa-1001");
  Answered const upper = pay("PA-1001", "Abc-1");
  Answered const lower = pay("pa-1001", "abc-1");
  EXPECT_EQ(upper.status, 201);
  EXPECT_EQ(lower.status, 201);
  EXPECT_NE(upper.text("id"), lower.text("id"));
  // Blanks around a header's value are no part of it.
  EXPECT_EQ(raw_payment("Idempotency-Key:   Abc-1  \r\n", R"({"order_id":"PA-1001"})").text("id"), upper.text("id"));
}

TEST_F(HttpApi, AQuotedKeyMayHoldAComma) {
  register_order("A1");
  EXPECT_EQ(raw_payment("Idempotency-Key: \"a,b\"\r\n", order_a1).status, 201);
  EXPECT_EQ(raw_payment("Idempotency-Key: \"a,b\"\r\n", order_a1).status, 200);
}

}  // namespace payonce::test
