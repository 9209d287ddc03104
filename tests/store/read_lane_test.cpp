// Questions on the reading lane, on every database.
#include "store/read_lane.h"

#include <algorithm>

#include "net/asio_loop.h"
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

class ReadLaneSuite : public StoreSuite {};

TEST_P(ReadLaneSuite, EachGetsTheAttemptItAskedFor) {
  auto const first = order_key("PA-1");
  auto const second = order_key("PA-2");
  write(Changes{}.add(head_of(first)).add(first, processing("pay_1", "k-1")));
  write(Changes{}.add(head_of(second)).add(second, processing("pay_2", "k-2")));

  AsioLoop loop;
  ReadLane reads{store(), loop};
  std::vector<std::string> answers;
  std::vector<std::string> const asked{"pay_2", "pay_9", "pay_1", "pay_2", "PAY_1"};
  for (std::string const& id : asked)
    reads.find_attempt(AttemptId{id}, [&, id](Result<FoundAttemptPtr> const& found) {
      ASSERT_TRUE(found);
      answers.push_back(*found ? id + " of " + (*found)->key.order.value + ": " + (*found)->attempt.id.value
                               : id + ": none");
      if (answers.size() == asked.size()) loop.stop();
    });
  loop.run();
  std::ranges::sort(answers);
  EXPECT_EQ(answers, (std::vector<std::string>{"PAY_1: none", "pay_1 of PA-1: pay_1", "pay_2 of PA-2: pay_2",
                                               "pay_2 of PA-2: pay_2", "pay_9: none"}));
}

TEST_P(ReadLaneSuite, ABadQuestionFailsAlone) {
  AsioLoop loop;
  ReadLane reads{store(), loop};
  int errors = 0;
  reads.ask([](Reader&) -> int { throw StoreError{StoreError::Kind::unavailable, "told to fail"}; },
            [&](Result<int> const& answer) { errors += !answer; });
  reads.find_attempt(AttemptId{"pay_1"}, [&](Result<FoundAttemptPtr> const& found) {
    EXPECT_TRUE(found);
    loop.stop();
  });
  loop.run();
  EXPECT_EQ(errors, 1);
}

INSTANTIATE_TEST_SUITE_P(AllDatabases, ReadLaneSuite, ::testing::ValuesIn(database_kinds()),
                         [](auto const& info) { return std::string{info.param.name}; });

}  // namespace

}  // namespace payonce::test
