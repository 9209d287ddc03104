#include "sandbox/journal.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "net/asio_loop.h"

namespace payonce::sandbox {
namespace {

class JournalTest : public testing::Test {
 protected:
  JournalTest() : path_(testing::TempDir() + "journal_" + std::to_string(::getpid())) {
    std::filesystem::remove(path_);
  }
  ~JournalTest() override { std::filesystem::remove(path_); }

  Result<std::unique_ptr<Journal>> open() {
    lines_.clear();
    return Journal::open(path_, loop_, [this](std::string_view line) -> Result<void> {
      if (line == "bad") return fail(ErrorCode::invalid_request, "this line is bad");
      lines_.emplace_back(line);
      return {};
    });
  }
  void write(std::string_view text) { std::ofstream{path_, std::ios::binary | std::ios::app} << text; }
  std::string content() {
    std::ifstream input{path_, std::ios::binary};
    return {std::istreambuf_iterator<char>{input}, {}};
  }

  std::string const path_;
  AsioLoop loop_;
  std::vector<std::string> lines_;
};

TEST_F(JournalTest, what_was_durable_is_read_at_the_next_start) {
  {
    auto const journal = open();
    ASSERT_TRUE(journal) << journal.error().detail;
    (*journal)->append("one", true);
    (*journal)->append("two", false);
    bool durable = false;
    (*journal)->when_durable([&] {
      durable = true;
      EXPECT_EQ(content(), "one\ntwo\n");
      loop_.stop();
    });
    EXPECT_FALSE(durable);
    loop_.run();
    EXPECT_TRUE(durable);
  }
  ASSERT_TRUE(open());
  EXPECT_EQ(lines_, (std::vector<std::string>{"one", "two"}));
}

TEST_F(JournalTest, tasks_run_in_order_and_at_once_when_nothing_is_open) {
  auto const journal = open();
  std::string order;
  (*journal)->when_durable([&] { order += "0"; });
  (*journal)->append("no promise", false);
  (*journal)->when_durable([&] { order += "1"; });
  EXPECT_EQ(order, "01");
  (*journal)->append("a", true);
  (*journal)->when_durable([&] { order += "2"; });
  loop_.post([&] {
    (*journal)->append("b", true);  // while the first group is on its way
    (*journal)->when_durable([&] {
      order += "3";
      loop_.stop();
    });
  });
  loop_.run();
  EXPECT_EQ(order, "0123");
  EXPECT_EQ(content(), "no promise\na\nb\n");
}

TEST_F(JournalTest, closing_writes_out_what_was_appended) {
  {
    auto const journal = open();
    (*journal)->append("one", true);
    (*journal)->append("two", false);
  }
  EXPECT_EQ(content(), "one\ntwo\n");
}

TEST_F(JournalTest, a_torn_last_line_is_cut_off) {
  write("one\ntwo\n{\"row\":\"cha");
  {
    auto const journal = open();
    ASSERT_TRUE(journal) << journal.error().detail;
    EXPECT_EQ(lines_, (std::vector<std::string>{"one", "two"}));
    (*journal)->append("three", true);
  }
  EXPECT_EQ(content(), "one\ntwo\nthree\n");
}

TEST_F(JournalTest, only_a_torn_line_is_an_empty_journal) {
  write("{\"ro");
  ASSERT_TRUE(open());
  EXPECT_TRUE(lines_.empty());
  EXPECT_EQ(content(), "");
}

TEST_F(JournalTest, any_other_damage_is_reported_with_file_and_line) {
  write("one\nbad\nthree\n");
  auto const journal = open();
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().code, ErrorCode::invalid_request);
  EXPECT_TRUE(journal.error().detail.starts_with(path_ + ":2: this line is bad")) << journal.error().detail;
  EXPECT_EQ(content(), "one\nbad\nthree\n");
}

TEST_F(JournalTest, two_banks_never_share_a_file) {
  auto const first = open();
  ASSERT_TRUE(first);
  auto const second = open();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::unavailable);
  EXPECT_NE(second.error().detail.find("in use"), std::string::npos);
}

TEST_F(JournalTest, a_path_that_cannot_be_opened_is_named) {
  auto const journal = Journal::open("/nowhere/at/all", loop_, [](std::string_view) -> Result<void> { return {}; });
  ASSERT_FALSE(journal);
  EXPECT_NE(journal.error().detail.find("/nowhere/at/all"), std::string::npos);
}

// Lets no file of this process grow beyond a few bytes, as a full disk would.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit const limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  sighandler_t handler_;
  rlimit before_{};
};

TEST_F(JournalTest, a_full_disk_is_reported_and_nothing_becomes_durable) {
  auto const journal = open();
  std::string problem;
  bool durable = false;
  {
    FullDisk const full{5};
    (*journal)->on_failure([&](Error const& error) {
      problem = error.detail;
      loop_.stop();
    });
    (*journal)->append("more than five bytes", true);
    (*journal)->when_durable([&] { durable = true; });
    loop_.run();
  }
  EXPECT_NE(problem.find(path_), std::string::npos) << problem;
  (*journal)->append("later", true);
  (*journal)->when_durable([&] { durable = true; });
  EXPECT_FALSE(durable);
}

TEST_F(JournalTest, without_a_path_everything_is_durable_at_once) {
  auto const journal = Journal::open("", loop_, [](std::string_view) -> Result<void> { return {}; });
  ASSERT_TRUE(journal);
  (*journal)->append("one", true);
  bool ran = false;
  (*journal)->when_durable([&] { ran = true; });
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace payonce::sandbox
