#include "provider/secret.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace payonce {
namespace {

class SecretFile : public testing::Test {
 protected:
  void write(std::string_view text) const { std::ofstream{path} << text; }
  ~SecretFile() override { std::filesystem::remove(path); }

  std::string const path = testing::TempDir() + "secret_file_" + std::to_string(::getpid());
};

TEST(Secret, OfTheConfigurationStandsForItself) {
  Secret const secret = "two\nlines";
  EXPECT_EQ(secret.text(), "two\nlines");
  EXPECT_EQ(secret.line(), "two");
  EXPECT_TRUE(Secret{}.empty());
  EXPECT_EQ(Secret{}.line(), "");
}

TEST_F(SecretFile, IsReadAgainWhenItChanges) {
  write("-----BEGIN X-----\nabc\n-----END X-----\n\n");
  auto const secret = Secret::from_file(path);
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->text(), "-----BEGIN X-----\nabc\n-----END X-----");
  Secret const copy = *secret;
  write("new, and longer than what was there before, as keys are\r\n");
  EXPECT_EQ(secret->line(), "new, and longer than what was there before, as keys are");
  EXPECT_EQ(copy.line(), secret->line()) << "copies see the same file";
}

TEST_F(SecretFile, ThatIsGoneOrEmptyKeepsWhatItHeld) {
  write("first");
  auto const secret = Secret::from_file(path);
  write("");
  EXPECT_EQ(secret->line(), "first");
  std::filesystem::remove(path);
  EXPECT_EQ(secret->line(), "first");
  write("second");
  EXPECT_EQ(secret->line(), "second");
}

TEST_F(SecretFile, MustBeThereAtTheStart) {
  EXPECT_FALSE(Secret::from_file(path));
  write("\n\n");
  auto const empty = Secret::from_file(path);
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().detail.find(path), std::string::npos);
}

}  // namespace
}  // namespace payonce
