#include "provider/stripe/amount.h"

#include <gtest/gtest.h>

namespace payonce::stripe {
namespace {

struct Row {
  char const* currency;
  std::int64_t minor;
  std::int64_t wire;
};

TEST(StripeAmount, IsStripesCountAndNotAFactorOfAHundred) {
  for (auto const& [currency, minor, wire] : {
           Row{"USD", 1999, 1999},
           Row{"CNY", 1, 1},
           Row{"HUF", 500, 500},
           Row{"TWD", 500, 500},
           Row{"JPY", 80, 80},  // C46: not 8000
           Row{"KRW", 1, 1},
           Row{"MGA", 500, 5},          // two decimals by ISO 4217, none at Stripe
           Row{"ISK", 5, 500},          // the other way round
           Row{"KWD", 18'600, 18'600},  // C47: not 1860
           Row{"USD", 9'007'199'254'740'991, 9'007'199'254'740'991},
       }) {
    Money const amount{minor, Currency::of(currency)};
    EXPECT_EQ(wire_amount(amount), wire) << currency;
    EXPECT_EQ(refuses(amount), "") << currency;
    std::string lower{currency};
    for (char& c : lower) c = static_cast<char>(c - 'A' + 'a');
    EXPECT_EQ(read_amount(wire, lower), amount) << "and back";
  }
}

TEST(StripeAmount, WhatItCantTakeExactlyIsRefused) {
  for (auto const& [currency, minor] :
       {std::pair{"KWD", 18'605},  // C47: the last digit must be 0
        std::pair{"MGA", 550}, std::pair{"UGX", 500}, std::pair{"IQD", 1000}, std::pair{"CLF", 10000}}) {
    Money const amount{minor, Currency::of(currency)};
    EXPECT_FALSE(wire_amount(amount)) << currency;
    EXPECT_NE(refuses(amount), "") << currency;
  }
  EXPECT_FALSE(wire_amount({9'007'199'254'740'991 * 1000, Currency::of("ISK")})) << "does not fit";
  EXPECT_FALSE(read_amount(5, "ugx"));
  EXPECT_FALSE(read_amount(5, "doge"));
}

}  // namespace
}  // namespace payonce::stripe
