// The code texts are part of the HTTP interface: stable, in snake_case, each its own.
#include "base/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace payonce {
namespace {

TEST(ErrorCode, EachHasATextOfItsOwn) {
  std::set<std::string_view> texts;
  int const last = static_cast<int>(ErrorCode::internal);
  for (int i = 0; i <= last; ++i) {
    auto const text = to_text(static_cast<ErrorCode>(i));
    EXPECT_TRUE(texts.insert(text).second) << text;
    EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; })) << text;
  }
}

TEST(ErrorCode, TheTextsCallersBranchOnStayAsTheyAre) {
  EXPECT_EQ(to_text(ErrorCode::idempotency_key_missing), "idempotency_key_missing");
  EXPECT_EQ(to_text(ErrorCode::idempotency_key_reused), "idempotency_key_reused");
  EXPECT_EQ(to_text(ErrorCode::order_has_live_payment), "order_has_live_payment");
  EXPECT_EQ(to_text(ErrorCode::order_already_paid), "order_already_paid");
  EXPECT_EQ(to_text(ErrorCode::amount_mismatch), "amount_mismatch");
}

TEST(Result, CarriesWhatWentWrong) {
  Result<int> const result = fail(ErrorCode::not_found, "There is no such thing", "thing");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::not_found);
  EXPECT_EQ(result.error().detail, "There is no such thing");
  EXPECT_EQ(result.error().field, "thing");
}

}  // namespace
}  // namespace payonce
