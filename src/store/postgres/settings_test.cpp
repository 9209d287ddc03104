#include "store/postgres/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace payonce::postgres {

namespace {

// What is handed to libpq for this keyword; nothing if that is left to libpq.
std::string value_of(std::string const& url, std::string_view keyword) {
  auto const settings = ConnectionSettings::parse(url);
  if (!settings) return "no url";
  auto const keywords = settings->keywords();
  auto const values = settings->values();
  for (std::size_t i = 0; keywords[i]; ++i)
    if (keyword == keywords[i]) return values[i];
  return "nothing";
}

}  // namespace

TEST(PostgresSettings, TheUrlGoesFirstThenTheEnvironmentThenOurProposals) {
  EXPECT_EQ(value_of("postgresql:///shop", "connect_timeout"), "5");
  EXPECT_EQ(value_of("postgresql:///shop?connect_timeout=9", "connect_timeout"), "9");
  ::setenv("PGCONNECT_TIMEOUT", "7", 1);
  EXPECT_EQ(value_of("postgresql:///shop", "connect_timeout"), "nothing") << "libpq reads the environment itself";
  EXPECT_EQ(value_of("postgresql:///shop?connect_timeout=9", "connect_timeout"), "9");
  ::unsetenv("PGCONNECT_TIMEOUT");
}

TEST(PostgresSettings, AStandbyIsNotTakenForThePrimary) {
  EXPECT_EQ(value_of("postgresql://a,b/shop", "target_session_attrs"), "read-write");
}

TEST(PostgresSettings, SocketsTlsAndPasswordsPassAsForPsql) {
  EXPECT_EQ(value_of("postgres:///shop?host=/run/postgresql", "host"), "/run/postgresql");
  EXPECT_EQ(value_of("postgresql://u:p%40ss@h/shop?sslmode=verify-full", "sslmode"), "verify-full");
  EXPECT_EQ(value_of("postgresql://u:p%40ss@h/shop", "password"), "p@ss");
}

TEST(PostgresSettings, TextsAreUtf8WhateverAnyoneSays) {
  EXPECT_EQ(value_of("postgresql:///shop?client_encoding=LATIN1", "client_encoding"), "UTF8");
}

TEST(PostgresSettings, AUrlThatCanNotBeReadIsRefusedWithoutBeingShown) {
  auto const settings = ConnectionSettings::parse("postgresql://u:secret%2@h/shop");
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().code, ErrorCode::invalid_request);
  EXPECT_EQ(settings.error().detail.find("secret"), std::string::npos);
}

}  // namespace payonce::postgres
