// Files keep their lengths and their manners.
#include <gtest/gtest.h>

#include "repository/lint.h"

namespace payonce::lint {
namespace {

std::string const opening = "// What it is for.\n#pragma once\n";

bool is_refused(std::string path, std::string text) { return !check_text({std::move(path), std::move(text)}).empty(); }

std::string repeat(std::string const& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(TextLint, TheRepositoryHasGoodManners) { EXPECT_TRUE(is_clean(check_text)); }

TEST(TextLint, LengthsHaveALimit) {
  EXPECT_FALSE(is_refused("src/a.cpp", repeat("int x;\n", 400)));
  EXPECT_TRUE(is_refused("src/a.cpp", repeat("int x;\n", 401)));
  EXPECT_FALSE(is_refused("src/a.cpp", "//" + repeat("x", 118) + "\n"));
  EXPECT_TRUE(is_refused("src/a.cpp", "//" + repeat("x", 119) + "\n"));
  EXPECT_FALSE(is_refused("src/a.cpp", "//" + repeat("支", 118) + "\n"));
  EXPECT_FALSE(is_refused("docs/a.md", repeat("word ", 100)));
}

TEST(TextLint, AHeaderSaysWhatItIsFor) {
  EXPECT_FALSE(is_refused("src/a.h", opening));
  EXPECT_TRUE(is_refused("src/a.h", "#pragma once\n"));
  EXPECT_TRUE(is_refused("src/a.h", "// What it is for.\n"));
}

TEST(TextLint, NothingIsLeftForLater) {
  EXPECT_TRUE(is_refused("docs/a.md",
                         "TO"
                         "DO: write\n"));
  EXPECT_TRUE(is_refused("src/a.cpp",
                         "// FIX"
                         "ME\n"));
  EXPECT_FALSE(is_refused("src/a.cpp", "int todos = 1;\n"));
}

TEST(TextLint, NoPathOfAMachine) {
  EXPECT_TRUE(is_refused("docs/a.md",
                         "see /wo"
                         "rk/main\n"));
  EXPECT_TRUE(is_refused("run",
                         "cd \"/ho"
                         "me/me/payonce\"\n"));
  EXPECT_FALSE(is_refused("docs/a.md",
                          "see src/wo"
                          "rk/a.h\n"));
}

}  // namespace
}  // namespace payonce::lint
