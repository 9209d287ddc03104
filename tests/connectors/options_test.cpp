// Every option of every connector is described, and read from a configuration.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/configuration.h"
#include "provider/registry.h"

namespace payonce {
namespace {

TEST(ConnectorOptions, StandInTheReference) {
  std::ifstream file{std::string{PAYONCE_SOURCE_DIR} + "/docs/reference/providers.md"};
  std::ostringstream text;
  text << file.rdbuf();
  for (Connector const& connector : connectors())
    for (ProviderOption const& option : connector.options)
      EXPECT_NE(text.str().find("| `provider." + std::string{option.name} + "` |"), std::string::npos)
          << connector.kind << " " << option.name;
}

std::string provider_with(std::string const& kind, std::string const& lines) {
  return "[[provider]]\nname = \"it\"\nkind = \"" + kind + "\"\n" + lines;
}

TEST(ConnectorOptions, AreReadWithTheirDefaults) {
  auto const settings =
      read_settings(provider_with("stripe", "return_url = \"https://shop.example/back\"\n"), "test", {});
  ASSERT_TRUE(settings) << settings.error().detail;
  ProviderSettings const& stripe = settings->providers.at(0);
  EXPECT_EQ(stripe.option("return_url"), "https://shop.example/back");
  EXPECT_EQ(stripe.option("confirmation"), "automatic");
  EXPECT_EQ(stripe.option("api_version"), "2026-10-28.endive");
}

TEST(ConnectorOptions, OfAnotherKindOrWithAnotherValueAreRefused) {
  auto const wrong = read_settings(provider_with("stripe", "confirmation = \"sometimes\"\n"), "test", {});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().detail.find("confirmation: must be one of: automatic manual"), std::string::npos);
  EXPECT_FALSE(read_settings(provider_with("sandbox", "confirmation = \"manual\"\n"), "test", {}));
}

}  // namespace
}  // namespace payonce
