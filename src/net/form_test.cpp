#include "net/form.h"

#include <gtest/gtest.h>

namespace payonce {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(Form, IsReadWhoeverWroteIt) {
  EXPECT_EQ(*parse_form("a[b]=1&c=x+y%2Bz&sign=q/w==&d"),
            (Pairs{{"a[b]", "1"}, {"c", "x y+z"}, {"sign", "q/w=="}, {"d", ""}}));
  EXPECT_EQ(*parse_form("茶=%E8%8C%B6"), (Pairs{{"茶", "茶"}}));
  EXPECT_FALSE(parse_form("a=%zz"));
  EXPECT_FALSE(parse_form("a=%00"));
}

TEST(Form, PartsAreEncoded) { EXPECT_EQ(percent_encode("a b/茶~"), "a%20b%2F%E8%8C%B6~"); }

}  // namespace
}  // namespace payonce
