// A message of a provider is believed when it is proven, acknowledged when it is safe, and put off otherwise.
#include "engine/receive_notice.h"

#include "base/limits.h"
#include "support/engine_world.h"

namespace payonce::test {

namespace {

class ReceiveNoticeTest : public EngineWorld {
 protected:
  ReceiveNoticeTest() {
    begin(1);
    say(Outcome::pending);
  }
  // A message that payment 1 has succeeded.
  static Notice of_success(std::string event_id = "evt-1") {
    Notice it;
    it.event_id = std::move(event_id);
    it.number = attempt_id(1).value;
    it.answer = answer(Outcome::succeeded);
    return it;
  }
  // The same, but the provider names its own id and no number of ours.
  static Notice nameless() {
    Notice it = of_success();
    it.number.clear();
    it.about = "trade-9";
    return it;
  }
  static Notice unproven() {
    Notice it = of_success();
    it.is_unproven = true;
    return it;
  }
  // The status of the answer to a message that reads as this; 0 if there is none.
  int receive(Result<Notice> notice, std::string_view provider = "sure") {
    teller->notice = std::move(notice);
    int status = 0;
    HttpRequest request;
    request.body = "bytes";
    receive_notice(engine, provider, request, [&status](HttpResponse const& response) { status = response.status; });
    settle();
    return status;
  }
  bool counted(std::string const& result) const {
    return metrics.text().contains("payonce_notices_total{provider=\"sure\",result=\"" + result + "\"} 1");
  }
  std::optional<NoticeDisposition> kept(std::string const& number = attempt_id(1).value) {
    auto const rows = store.open_reader()->notices_of(AttemptId{number});
    return rows.empty() ? std::nullopt : std::optional{rows[0].disposition};
  }
  std::size_t retry() {
    std::size_t count = 99;
    retry_unmatched_notices(engine, 100, [&count](std::size_t found) { count = found; });
    settle();
    return count;
  }
};

}  // namespace

TEST_F(ReceiveNoticeTest, IsWorkedInAndThenAcknowledged) {
  EXPECT_EQ(receive(of_success()), 200);
  EXPECT_EQ(state(1), AttemptState::succeeded);
  EXPECT_EQ(kept(), NoticeDisposition::applied);
  EXPECT_TRUE(counted("stored"));
  EXPECT_EQ(receive(of_success()), 200);
  EXPECT_TRUE(counted("duplicate"));
}

TEST_F(ReceiveNoticeTest, ThatCannotBeStoredIsToBeSentAgain) {
  store.are_gone = true;
  EXPECT_EQ(receive(of_success()), 503);
  EXPECT_TRUE(counted("not_stored"));
  store.are_gone = false;
  EXPECT_EQ(state(1), AttemptState::processing);
  EXPECT_EQ(receive(of_success()), 200);
  EXPECT_EQ(state(1), AttemptState::succeeded);
}

TEST_F(ReceiveNoticeTest, ForgedUnreadableOrForNobodyIsRefused) {
  EXPECT_EQ(receive(fail(ErrorCode::signature_invalid, "forged")), 401);
  EXPECT_TRUE(counted("bad_signature"));
  EXPECT_EQ(receive(fail(ErrorCode::invalid_request, "torn")), 400);
  EXPECT_TRUE(counted("unreadable"));
  EXPECT_EQ(receive(of_success(), "nobody"), 404);
  EXPECT_EQ(state(1), AttemptState::processing);
  EXPECT_EQ(kept(), std::nullopt);
}

TEST_F(ReceiveNoticeTest, ThatIsUnprovenIsBelievedOnlyOnTheProvidersWord) {
  teller->vouched = std::nullopt;
  EXPECT_EQ(receive(unproven()), 503) << "nobody could be asked";
  teller->vouched = false;
  EXPECT_EQ(receive(unproven()), 401);
  EXPECT_EQ(state(1), AttemptState::processing);
  EXPECT_EQ(kept(), std::nullopt);
  EXPECT_TRUE(counted("not_stored"));
  EXPECT_TRUE(counted("bad_signature"));
  teller->vouched = true;
  EXPECT_EQ(receive(unproven()), 200);
  EXPECT_EQ(state(1), AttemptState::succeeded);
}

TEST_F(ReceiveNoticeTest, WithoutANumberIsNamedByTheProvider) {
  EXPECT_EQ(receive(nameless()), 503) << "it can't be asked now";
  EXPECT_EQ(state(1), AttemptState::processing);
  teller->named = of_success();
  EXPECT_EQ(receive(nameless()), 200);
  EXPECT_EQ(state(1), AttemptState::succeeded);
}

TEST_F(ReceiveNoticeTest, WithANumberIsNotAskedAboutAlthoughItNamesMore) {
  Notice it = nameless();
  it.number = attempt_id(1).value;
  EXPECT_EQ(receive(it), 200) << "the provider could not be asked now";
  EXPECT_EQ(state(1), AttemptState::succeeded);
}

TEST_F(ReceiveNoticeTest, UnprovenAndWithoutANumberIsFirstProvenAndThenNamed) {
  Notice it = nameless();
  it.is_unproven = true;
  teller->named = of_success();
  teller->vouched = false;
  EXPECT_EQ(receive(it), 401);
  EXPECT_EQ(state(1), AttemptState::processing);
  teller->vouched = true;
  EXPECT_EQ(receive(it), 200);
  EXPECT_EQ(state(1), AttemptState::succeeded);
}

TEST_F(ReceiveNoticeTest, AboutNothingThatHasANumberIsKeptAndDecidesNothing) {
  Notice it = of_success();
  it.number.clear();
  EXPECT_EQ(receive(it), 200);
  EXPECT_EQ(kept(""), NoticeDisposition::foreign);
  EXPECT_EQ(state(1), AttemptState::processing);
}

TEST_F(ReceiveNoticeTest, AnEventIdIsCutToItsLimitAndStaysTheSameEvent) {
  std::string const long_id(limits::event_id_chars + 100, 'e');
  EXPECT_EQ(receive(of_success(long_id)), 200);
  EXPECT_EQ(receive(of_success(long_id)), 200);
  EXPECT_TRUE(counted("duplicate"));
}

TEST_F(ReceiveNoticeTest, ThatIsEarlierThanTheBooksIsLookedForAgain) {
  Notice early = of_success();
  early.number = attempt_id(2).value;
  EXPECT_EQ(receive(early), 200);
  EXPECT_EQ(kept(early.number), NoticeDisposition::unmatched);
  EXPECT_EQ(retry(), 0U) << "not due yet";
  clock.at += 1min;
  store.are_gone = true;
  EXPECT_EQ(retry(), 0U);
  store.are_gone = false;
  EXPECT_EQ(retry(), 1U);
  EXPECT_EQ(kept(early.number), NoticeDisposition::unmatched);
  EXPECT_TRUE(run(outcome(1, Evidence::query, Outcome::declined)));
  begin(2);
  clock.at += 1h;
  EXPECT_EQ(retry(), 1U);
  EXPECT_EQ(state(2), AttemptState::succeeded);
  EXPECT_EQ(kept(early.number), NoticeDisposition::applied);
}

}  // namespace payonce::test
