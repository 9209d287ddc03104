// `payonce archive`, and what the other commands make of books whose history is elsewhere.
#include "archive/archiving.h"
#include "support/run_command.h"

namespace payonce::test {

TEST_P(Archiving, BooksThatMoveToAnotherDatabaseKeepTheirMarks) {
  if (!GetParam().live_is_postgres) GTEST_SKIP() << "a file is copied while nobody has it open; see tests/copy";
  pay(1);
  archive();
  pay(2, "PA-1002");
  BooksDatabase const to{GetParam().archive_is_postgres};
  Finished const copied =
      run_command(add_copy, {"copy", "--in-use-by-others", "--from", live_.url(), "--to", to.url()});
  ASSERT_EQ(copied.status, 0) << copied.output;
  auto const store = to.open();
  auto const reader = store->open_reader();
  auto const moved = to.archivist();
  EXPECT_EQ(moved->archived_at(order_key()), clock_.time);
  VerifyOptions options = expecting_effects(archive_reader_.get());
  options.history.live = moved.get();
  EXPECT_EQ(facts(verify(*reader, options)), "");
}

TEST_P(Archiving, TheCommandSaysWhatItDid) {
  pay(1);
  Finished const none = run_command(
      add_archive, {"archive", "--database", live_.url(), "--to", archive_.url(), "--older-than", "1000000d"});
  EXPECT_EQ(none.status, 0);
  EXPECT_NE(none.output.find("archived 0 orders"), std::string::npos) << none.output;
  Finished const done =
      run_command(add_archive, {"archive", "--database", live_.url(), "--to", archive_.url(), "--older-than", "1s"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_NE(done.output.find("archived 1 orders with "), std::string::npos) << done.output;
  expect_sound();

  Finished const explained = run_command(add_explain, {"explain", "PA-1001", "--database", live_.url()});
  EXPECT_NE(explained.output.find("is in the archive"), std::string::npos) << explained.output;
  Finished const whole =
      run_command(add_explain, {"explain", "PA-1001", "--database", live_.url(), "--archive", archive_.url()});
  EXPECT_NE(whole.output.find("payment.created"), std::string::npos) << whole.output;
  EXPECT_EQ(whole.output.find("is in the archive"), std::string::npos) << whole.output;
  Finished const verified = run_command(add_verify, {"verify", "--database", live_.url(), "--archive", archive_.url()});
  EXPECT_EQ(verified.status, 0) << verified.output;
}

TEST(ArchiveCommand, WhatItCanNotUnderstandItSays) {
  BooksDatabase const live{false};
  live.open();
  for (std::string const age : {"90", "d", "9w", "1.5d", "9999999999999d"}) {
    Finished const refused = run_command(
        add_archive, {"archive", "--database", live.url(), "--to", live.url() + ".old", "--older-than", age});
    EXPECT_EQ(refused.status, 1) << age;
    EXPECT_NE(refused.output.find("is no age"), std::string::npos) << refused.output;
  }
  EXPECT_EQ(run_command(add_archive, {"archive", "--database", live.url(), "--to", live.url()}).status, 1);
  BooksDatabase const nowhere{false};
  EXPECT_EQ(run_command(add_archive, {"archive", "--database", nowhere.url(), "--to", live.url()}).status, 1);
}

}  // namespace payonce::test
