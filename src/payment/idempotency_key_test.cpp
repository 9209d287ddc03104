// Cases C09, C10, C12 and C14: what is a key, and which spellings are the same one.
#include "payment/idempotency_key.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/limits.h"

namespace payonce {
namespace {

std::string key_of(std::string_view header) {
  auto const key = parse_idempotency_key(header);
  return key ? *key : "refused: " + key.error().detail;
}

void expect_refused(std::string_view header) {
  auto const key = parse_idempotency_key(header);
  ASSERT_FALSE(key) << '"' << header << "\" became " << *key;
  EXPECT_EQ(key.error().code, ErrorCode::idempotency_key_invalid);
  EXPECT_EQ(key.error().field, "Idempotency-Key");
  for (char const c : key.error().detail)
    EXPECT_TRUE(c >= 0x20 && c <= 0x7e) << "the refusal echoes a byte that a log must not hold";
}

TEST(IdempotencyKey, QuotedAndBareAreTheSameKey) {
  EXPECT_EQ(key_of("k-77"), "k-77");
  EXPECT_EQ(key_of("\"k-77\""), "k-77");
  EXPECT_EQ(key_of(" \t\"k-77\" "), "k-77");
  EXPECT_EQ(key_of("  k-77\t"), "k-77");
  EXPECT_EQ(key_of("8e03978e-40d5-43e8-bc93-6894a57f9324"), key_of("\"8e03978e-40d5-43e8-bc93-6894a57f9324\""));
}

TEST(IdempotencyKey, EscapesAreThoseOfAStructuredString) {
  EXPECT_EQ(key_of(R"("a\"b")"), R"(a"b)");
  EXPECT_EQ(key_of(R"("a\\b")"), R"(a\b)");
  EXPECT_EQ(key_of(R"("a\\")"), R"(a\)");
  EXPECT_EQ(key_of(R"(a\b)"), R"(a\b)");
  for (std::string_view const bad :
       {R"("a\b")", R"("a\)", R"("a\")", R"("abc)", R"(")", R"("a"b")", R"("a" "b")", R"("a";p=1)", R"("a"x)"})
    expect_refused(bad);
}

TEST(IdempotencyKey, EmptyIsRefusedInEverySpelling) {
  for (std::string_view const empty : {"", " ", "   ", "\t", "\"\"", "  \"\"  "}) expect_refused(empty);
}

TEST(IdempotencyKey, Takes255CharactersAndNoMore) {
  std::string const longest(limits::idempotency_key_chars, 'k');
  ASSERT_EQ(longest.size(), 255U);
  EXPECT_EQ(key_of(longest), longest);
  EXPECT_EQ(key_of('"' + longest + '"'), longest);
  EXPECT_EQ(key_of("k"), "k");
  expect_refused(longest + "k");
  expect_refused('"' + longest + "k\"");
  expect_refused(std::string(1'000'000, 'k'));
  std::string escaped;
  for (int i = 0; i < 255; ++i) escaped += "\\\"";
  EXPECT_EQ(key_of('"' + escaped + '"'), std::string(255, '"')) << "the limit is about the key, not its spelling";
}

TEST(C09KeyCharacters, OnlyVisibleAscii) {
  using namespace std::string_view_literals;
  for (std::string_view const bad :
       {"0xb7ef\xE2\x80\xA6"
        "375a"sv,
        "\0"sv, "k\0k"sv, "a\tb"sv, "a b"sv, "\"a b\""sv, "\"a\tb\""sv, "cl\xc3\xa9-1"sv, "\"cl\xc3\xa9-1\""sv,
        "k\x7f"sv, "k\x1f"sv, "k\nX-Other: 1"sv, "k\r\n"sv, "\xff"sv, "\x80"sv})
    expect_refused(bad);
  EXPECT_EQ(key_of("!~"), "!~") << "both ends of the allowed range";
}

TEST(C10RepeatedHeader, AJoinedPairIsNotAKey) {
  expect_refused("k-77, k-77");
  expect_refused("k-77,k-77");
  expect_refused("\"k-77\", \"k-77\"");
  expect_refused("\"k-77\",\"k-77\"");
  expect_refused(",");
  EXPECT_EQ(key_of("\"a,b\""), "a,b") << "inside quotes a comma is a character";
}

TEST(C12MissingValue, ATextThatMeansNothingIsNotAKey) {
  for (std::string_view const bad :
       {"null", "undefined", "NaN", "[object Object]", "00000000-0000-0000-0000-000000000000", "None", "nil", "NULL",
        "Undefined", "\"null\"", "\"undefined\"", "\"[object Object]\"", "\"00000000-0000-0000-0000-000000000000\""})
    expect_refused(bad);
  // Built around a missing value, but not recognisable as such: the fingerprint keeps the orders apart (C12 in begin).
  EXPECT_EQ(key_of("pay_undefined"), "pay_undefined");
}

TEST(C14KeyCase, DifferentBytesAreDifferentKeys) {
  EXPECT_EQ(key_of("Abc-1"), "Abc-1");
  EXPECT_EQ(key_of("abc-1"), "abc-1");
  EXPECT_NE(key_of("Abc-1"), key_of("abc-1"));
  EXPECT_NE(key_of("k-1"), key_of("k-1."));
}

std::string quoted(std::string const& key) {
  std::string text = "\"";
  for (char const c : key) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

RC_GTEST_PROP(IdempotencyKeyProperty, QuotingAVisibleTextAndParsingGivesItBack, ()) {
  auto const visible = rc::gen::inRange<char>(0x21, 0x7f);
  auto const key = *rc::gen::resize(254, rc::gen::nonEmpty(rc::gen::container<std::string>(visible)));
  RC_PRE(key.size() <= limits::idempotency_key_chars && key != "[object");
  auto const parsed = parse_idempotency_key(quoted(key));
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(*parsed == key);
}

RC_GTEST_PROP(IdempotencyKeyProperty, AnyBytesGiveAVisibleKeyOrARefusal, (std::string const& bytes)) {
  for (std::string const& header : {bytes, '"' + bytes, '"' + bytes + '"', bytes + '\\', "\"\\" + bytes}) {
    auto const key = parse_idempotency_key(header);
    if (!key) continue;
    RC_ASSERT(!key->empty() && key->size() <= limits::idempotency_key_chars);
    for (char const c : *key) RC_ASSERT(c >= 0x21 && c <= 0x7e);
    // The same key comes out of its own canonical spelling.
    RC_ASSERT(parse_idempotency_key(quoted(*key)).value() == *key);
  }
}

}  // namespace
}  // namespace payonce
