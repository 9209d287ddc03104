#include "provider/wire_amount.h"

#include <gtest/gtest.h>

namespace payonce {
namespace {

TEST(WireAmount, IsExactOrNothing) {
  Money const usd{1999, Currency::of("USD")};
  EXPECT_EQ(to_wire(usd, 2), 1999);
  EXPECT_EQ(to_wire(usd, 3), 19'990);
  EXPECT_EQ(to_wire(usd, 1), std::nullopt);
  EXPECT_EQ(to_wire({1900, Currency::of("USD")}, 0), 19);
  EXPECT_EQ(to_wire({80, Currency::of("JPY")}, 0), 80);
  EXPECT_EQ(to_wire({9'007'199'254'740'991, Currency::of("JPY")}, 2), 900'719'925'474'099'100);
  EXPECT_EQ(to_wire({9'007'199'254'740'991, Currency::of("JPY")}, 4), std::nullopt) << "does not fit";
  EXPECT_EQ(from_wire(19'990, Currency::of("USD"), 3), usd);
  EXPECT_EQ(from_wire(19'995, Currency::of("USD"), 3), std::nullopt);
}

}  // namespace
}  // namespace payonce
