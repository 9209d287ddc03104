#include "store/postgres/errors.h"

#include <gtest/gtest.h>

namespace payonce::postgres {

using enum StoreError::Kind;

TEST(PostgresErrors, WhatAnotherRunMaySolveIsAConflict) {
  for (char const* const state :
       {"23505", "40001", "40P01", "55P03", "57P01", "57P02", "57P03", "08006", "25006", "25P03"})
    EXPECT_EQ(kind_of(state), conflict) << state;
}

TEST(PostgresErrors, WhatTheRulesOrTheDataForbidIsRefused) {
  for (char const* const state : {"23514", "23503", "23502", "23000", "22021", "22003", "42P01", "42501"})
    EXPECT_EQ(kind_of(state), refused) << state;
}

TEST(PostgresErrors, WhatTheServerCanNotDoNowIsUnavailable) {
  for (char const* const state : {"53100", "53200", "53300", "57014", "58030", "XX000"})
    EXPECT_EQ(kind_of(state), unavailable) << state;
}

}  // namespace payonce::postgres
