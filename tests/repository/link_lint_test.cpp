// Links in the documents lead somewhere.
#include <gtest/gtest.h>

#include <filesystem>

#include "repository/lint.h"

namespace payonce::lint {
namespace {

bool is_refused(std::string text) {
  return !check_links({"docs/guide.md", std::move(text)}, [](std::string const& path) {
            return path == "README.md" || path == "docs/reference/errors.md";
          }).empty();
}

TEST(LinkLint, EveryLinkInTheRepositoryLeadsSomewhere) {
  auto const exists = [](std::string const& path) {
    return std::filesystem::exists(std::filesystem::path{PAYONCE_SOURCE_DIR} / path);
  };
  EXPECT_TRUE(is_clean([&](SourceFile const& file) { return check_links(file, exists); }));
}

TEST(LinkLint, ALinkIsSeenFromItsOwnPage) {
  EXPECT_FALSE(is_refused("[errors](reference/errors.md#codes) and [home](../README.md \"home\")"));
  EXPECT_TRUE(is_refused("[home](README.md)"));
  EXPECT_TRUE(is_refused("[good](../README.md), [bad](nowhere.md)"));
}

TEST(LinkLint, OtherSitesAndCodeAreNotLooked) {
  EXPECT_FALSE(is_refused("[rfc](https://www.rfc-editor.org/rfc/rfc9457) [here](#top)"));
  EXPECT_FALSE(is_refused("```cpp\nauto f = [](int);\ncall[0](x);\n```\n"));
}

}  // namespace
}  // namespace payonce::lint
