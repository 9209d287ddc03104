// Notices over real HTTP: when they come, that they come again, and every fault of theirs.
#include "sandbox/server_fixture_test.h"

namespace payonce::sandbox {
namespace {

class SandboxNoticeTest : public SandboxServerTest {};

TEST_F(SandboxNoticeTest, ends_are_noticed_and_signed) {
  start_with_notices();
  charge("pay_1");
  await_notices(1);
  EXPECT_TRUE(is_signed(notices[0]));
  EXPECT_EQ(notices[0].target, "/v1/notices/sandbox");
  EXPECT_EQ(notice(0).at("type"), "charge.succeeded");
  charge("pay_2", "approve");
  charge("pay_3", "decline");
  await_notices(2);
  EXPECT_EQ(notice(1).at("type"), "charge.declined");
  call("POST", "/v1/charges/pay_2/close");
  await_notices(3);
  EXPECT_EQ(notice(2).at("type"), "charge.closed");
  refund("ref_1", 5);
  await_notices(4);
  EXPECT_EQ(notice(3).at("refund_number"), "ref_1");
  charge("pay_4", "pending");
  await_notices(5);
  EXPECT_EQ(notice(4).at("number"), "pay_4");
  EXPECT_EQ(notice(4).at("status"), "succeeded");
}

TEST_F(SandboxNoticeTest, a_notice_comes_again_until_it_is_taken_and_is_signed_each_time) {
  start_with_notices();
  merchant_status = 500;
  charge("pay_1");
  await_notices(2);
  merchant_status = 200;
  await_notices(3);
  for (HttpRequest const& each : notices) {
    EXPECT_EQ(each.body, notices[0].body);
    EXPECT_TRUE(is_signed(each));
  }
  while (sandbox->service().notices_running() > 0) call("GET", "/healthz");
  EXPECT_EQ(notices.size(), 3u);
}

TEST_F(SandboxNoticeTest, a_notice_is_given_up_after_its_tries) {
  start_with_notices();
  merchant_status = 500;
  charge("pay_1");
  while (notices.empty() || sandbox->service().notices_running() > 0) call("GET", "/healthz");
  EXPECT_EQ(notices.size(), 3u);
}

TEST_F(SandboxNoticeTest, a_notice_that_was_not_taken_survives_a_restart) {
  start_with_notices();
  options.notice_retry = 1h;
  start();
  merchant_status = 503;
  charge("pay_1");
  await_notices(1);
  merchant_status = 200;
  start();
  await_notices(2);
  EXPECT_EQ(notices[0].body, notices[1].body);
  while (sandbox->service().notices_running() > 0) call("GET", "/healthz");
  start();
  charge("pay_2", "decline");
  await_notices(3);
  EXPECT_EQ(notice(2).at("number"), "pay_2") << "a notice that was taken is not sent again";
}

TEST_F(SandboxNoticeTest, a_pending_charge_succeeds_after_a_restart_too) {
  options.settle_delay = 1h;
  start_with_notices();
  charge("pay_1", "pending");
  sandbox.reset();
  // The journal says when it is due; an hour is over for a bank whose clock says so.
  class Later final : public Clock {
   public:
    Time now() const override { return clock.now() + 1h; }
    std::chrono::nanoseconds monotonic() const override { return clock.monotonic(); }
    SystemClock clock;
  } later;
  sandbox =
      std::move(*SandboxServer::start(options, {.loop = loop, .clock = later, .random = random, .client = client}));
  await_notices(1);
  EXPECT_EQ(notice(0).at("status"), "succeeded");
  sandbox.reset();
}

TEST_F(SandboxNoticeTest, notice_fault_early_comes_before_the_answer) {
  start_with_notices();
  fault("notice", "early", 30);
  bool answered = false;
  send("POST", "/v1/charges", R"({"number":"pay_1","order":"A1","amount":1,"currency":"USD"})", [&](HttpAnswer) {
    answered = true;
    loop.stop();
  });
  await_notices(1);
  EXPECT_FALSE(answered);
  while (!answered) loop.run();
}

TEST_F(SandboxNoticeTest, notice_faults_late_and_never) {
  start_with_notices();
  fault("notice", "late", 60);
  auto const begun = clock.monotonic();
  charge("pay_1");
  await_notices(1);
  EXPECT_GE(clock.monotonic() - begun, 60ms);
  fault("notice", "never");
  charge("pay_2");
  charge("pay_3");
  await_notices(2);
  EXPECT_EQ(notice(1).at("number"), "pay_3");
}

TEST_F(SandboxNoticeTest, notice_faults_of_repetition) {
  start_with_notices();
  fault("notice", "twice");
  charge("pay_1");
  await_notices(2);
  EXPECT_EQ(notices[0].body, notices[1].body);
  fault("notice", "ten_parallel");
  charge("pay_2");
  await_notices(12);
  for (std::size_t i = 2; i < 12; ++i) EXPECT_EQ(notices[i].body, notices[2].body);
  fault("notice", "reordered");
  charge("pay_3");
  await_notices(14);
  EXPECT_EQ(notice(12).at("type"), "charge.succeeded");
  EXPECT_EQ(notice(13).at("type"), "charge.pending");
  EXPECT_EQ(notice(13).at("number"), "pay_3");
}

TEST_F(SandboxNoticeTest, notice_faults_of_content) {
  start_with_notices();
  std::pair<std::string_view, std::string_view> const faults[] = {{"wrong_amount", "amount"},
                                                                  {"wrong_currency", "currency"},
                                                                  {"wrong_account", "account"},
                                                                  {"foreign_number", "number"},
                                                                  {"unknown_number", "number"}};
  std::size_t count = 0;
  charge("pay_0");
  await_notices(++count);
  for (auto const& [name, field] : faults) {
    fault("notice", name);
    charge("pay_" + std::to_string(count));
    await_notices(++count);
    EXPECT_TRUE(is_signed(notices.back())) << name;
    EXPECT_NE(notice(count - 1).at(field), notice(0).at(field)) << name;
  }
  fault("notice", "wrong_signature");
  merchant_status = 401;
  charge("pay_9");
  await_notices(++count);
  EXPECT_FALSE(is_signed(notices.back()));
}

TEST_F(SandboxNoticeTest, a_notice_by_hand_says_what_it_is_told_to) {
  start_with_notices();
  fault("notice", "never");
  charge("pay_1");
  auto const sent = call("POST", "/notices", R"({"number":"pay_1","type":"charge.declined","amount":5,"copies":3})");
  EXPECT_EQ(sent.status, 200);
  EXPECT_EQ(object(sent).at("tries").as_array().size(), 3u);
  EXPECT_EQ(object(sent).at("tries").at(0).at("status"), 200);
  ASSERT_EQ(notices.size(), 3u);
  EXPECT_EQ(notice(0).at("id"), object(sent).at("id"));
  EXPECT_EQ(notice(0).at("status"), "declined");
  EXPECT_EQ(notice(0).at("amount"), 5);
  EXPECT_EQ(notice(0).at("currency"), "USD");
  EXPECT_EQ(call("POST", "/notices", R"({"number":"pay_9","type":"charge.succeeded"})").status, 400);
  EXPECT_EQ(call("POST", "/notices", R"({"number":"pay_9","type":"charge.succeeded","body":"not JSON"})").status, 200);
  EXPECT_EQ(notices.back().body, "not JSON");
  EXPECT_TRUE(is_signed(notices.back()));
}

}  // namespace
}  // namespace payonce::sandbox
