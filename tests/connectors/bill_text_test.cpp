// Files of statements: torn, packed, and in the wrong alphabet.
#include "provider/bill_text.h"

#include <gtest/gtest.h>

#include "sandbox/zip.h"

namespace payonce {
namespace {

TEST(C73Charset, Utf8AndGbkAreReadAlikeAndNothingIsReplaced) {
  std::string const utf8 = "#支付宝业务明细查询\r\n";
  std::string const gbk = "\x23\xD6\xA7\xB8\xB6\xB1\xA6\xD2\xB5\xCE\xF1\xC3\xF7\xCF\xB8\xB2\xE9\xD1\xAF\x0D\x0A";
  EXPECT_EQ(utf8_of_chinese(utf8), utf8);
  EXPECT_EQ(utf8_of_chinese(gbk), utf8);
  EXPECT_EQ(utf8_of_chinese("\xEF\xBB\xBF" + utf8), utf8);
  EXPECT_EQ(utf8_of_chinese("\xA3\xA4"), "￥");
  EXPECT_FALSE(utf8_of_chinese(gbk.substr(0, gbk.size() - 3))) << "cut in the middle of a pair";
  EXPECT_FALSE(utf8_of_chinese("\xFF\xFF")) << "neither";
}

bool is_detail(std::string_view name) { return name.ends_with("明细.csv"); }

std::string archive() {
  return sandbox::zip_of({{sandbox::to_gbk("a_明细(汇总).csv"), "sums"}, {sandbox::to_gbk("a_明细.csv"), "the list"}});
}

TEST(Zip, TheWantedMemberIsFoundByItsNameInGbk) {
  EXPECT_TRUE(is_zip(archive()));
  EXPECT_EQ(member_of_zip(archive(), is_detail), "the list");
  EXPECT_FALSE(member_of_zip(archive(), [](std::string_view name) { return name == "b"; })) << "none";
  EXPECT_FALSE(member_of_zip(archive(), [](std::string_view) { return true; })) << "two";
}

TEST(Zip, EveryTornArchiveIsRefused) {
  std::string const whole = archive();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(member_of_zip(whole.substr(0, size), is_detail)) << size;
}

TEST(Zip, NoFlippedByteChangesTheContentUnnoticed) {
  std::string const whole = archive();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string spoilt = whole;
    spoilt[at] = static_cast<char>(spoilt[at] ^ 0x55);
    auto const read = member_of_zip(spoilt, is_detail);
    EXPECT_TRUE(!read || *read == "the list") << at;
  }
}

TEST(Gzip, WhatIsNotPackedStaysAndWhatIsTornIsRefused) {
  EXPECT_EQ(ungzipped("plain"), "plain");
  EXPECT_EQ(ungzipped(""), "");
  // printf hello | gzip -n
  std::string const packed{
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00\x00\x00", 25};
  EXPECT_EQ(ungzipped(packed), "hello");
  EXPECT_FALSE(ungzipped(packed.substr(0, 20)));
  EXPECT_FALSE(ungzipped(packed + "x"));
}

}  // namespace
}  // namespace payonce
