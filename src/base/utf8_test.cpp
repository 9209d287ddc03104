#include "base/utf8.h"

#include <gtest/gtest.h>

namespace payonce {

TEST(Utf8, KnowsCharactersOfEveryLength) {
  for (std::string_view const text :
       {"", "a", "\x7F", "\xC2\x80", "é", "支付", "\xED\x9F\xBF", "\xEE\x80\x80", "😀", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
    EXPECT_EQ(to_utf8(text), text);
  }
}

TEST(Utf8, RefusesWhatIsNone) {
  for (std::string_view const text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80",
        "\xE6\x94", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "ok\xFF"})
    EXPECT_FALSE(is_utf8(text));
}

TEST(Utf8, PutsAMarkForEachBrokenByte) {
  EXPECT_EQ(to_utf8("a\xFF"
                    "b"),
            "a\uFFFDb");
  EXPECT_EQ(to_utf8(std::string_view{"支付"}.substr(0, 5)), "支\uFFFD\uFFFD");
  EXPECT_EQ(to_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
}

}  // namespace payonce
