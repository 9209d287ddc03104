#include "sandbox/notice.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>

#include "base/id.h"

namespace payonce::sandbox {
namespace {

constexpr Time now{std::chrono::milliseconds{1'760'000'000'123}};

class NoticeTest : public testing::Test {
 protected:
  NoticeFacts facts() {
    Charge charge;
    charge.id = "ch_1";
    charge.number = "pay_1";
    charge.amount_minor = 1999;
    charge.currency = "USD";
    charge.state = ChargeState::succeeded;
    return facts_of(charge, "sandbox-account", now, random);
  }
  std::vector<NoticeChain> plan(Fault fault) { return plan_notice(facts(), {fault, Millis{40}}, random, notice_body); }
  // A field of the first body of the only chain.
  boost::json::value field(Fault fault, std::string_view name) {
    auto const chains = plan(fault);
    return boost::json::parse(chains.at(0).bodies.at(0)).at(name);
  }

  SeededRandom random{1};
};

TEST(NoticeSignature, c40_signs_as_in_the_vector) {
  std::string_view const body =
      R"({"id":"evt_t_0001","type":"payment.succeeded","created":1760000000,)"
      R"("data":{"channel_txn":"ch_t_0001","out_no":"PA-1001","amount":1999,"currency":"USD"}})";
  EXPECT_EQ(body.size(), 152u);
  EXPECT_EQ(sign_notice("whsec_test_old", now, body),
            "t=1760000000,v1=191c8878f3d429d10c34f6f3d7d2ba054ba40a82c3ce8ff2fe6feb4cb0ee4b22");
  EXPECT_EQ(sign_notice("whsec_test_new", now, body),
            "t=1760000000,v1=f03c697167e5acffcedc571929be7984e888cedd844c672329155e85e924f84c");
}

TEST_F(NoticeTest, says_what_the_protocol_promises) {
  auto const chains = plan(Fault::none);
  ASSERT_EQ(chains.size(), 1u);
  ASSERT_EQ(chains[0].bodies.size(), 1u);
  EXPECT_EQ(chains[0].delay, Millis{0});
  boost::json::object const body = boost::json::parse(chains[0].bodies[0]).as_object();
  EXPECT_TRUE(body.at("id").as_string().starts_with("evt_"));
  EXPECT_EQ(body.at("type"), "charge.succeeded");
  EXPECT_EQ(body.at("created"), 1'760'000'000);
  EXPECT_EQ(body.at("account"), "sandbox-account");
  EXPECT_EQ(body.at("number"), "pay_1");
  EXPECT_EQ(body.at("status"), "succeeded");
  EXPECT_EQ(body.at("amount"), 1999);
  EXPECT_EQ(body.at("currency"), "USD");
  EXPECT_EQ(body.at("charge_id"), "ch_1");
  EXPECT_FALSE(body.contains("refund_number"));
}

TEST_F(NoticeTest, a_refund_names_charge_and_refund) {
  Refund refund;
  refund.number = "ref_1";
  refund.charge_number = "pay_1";
  refund.amount_minor = 5;
  refund.currency = "USD";
  Charge charge;
  charge.id = "ch_1";
  auto const body = boost::json::parse(notice_body(facts_of(refund, charge, "acc", now, random)));
  EXPECT_EQ(body.at("type"), "refund.succeeded");
  EXPECT_EQ(body.at("number"), "pay_1");
  EXPECT_EQ(body.at("refund_number"), "ref_1");
  EXPECT_EQ(body.at("charge_id"), "ch_1");
}

TEST_F(NoticeTest, faults_of_delivery) {
  EXPECT_TRUE(plan(Fault::never).empty());
  EXPECT_EQ(plan(Fault::late).at(0).delay, Millis{40});
  EXPECT_EQ(plan(Fault::early).at(0).delay, Millis{0});
  EXPECT_TRUE(plan(Fault::wrong_signature).at(0).wrong_signature);

  auto const twice = plan(Fault::twice);
  ASSERT_EQ(twice.size(), 1u);
  ASSERT_EQ(twice[0].bodies.size(), 2u);
  EXPECT_EQ(twice[0].bodies[0], twice[0].bodies[1]);

  auto const ten = plan(Fault::ten_parallel);
  ASSERT_EQ(ten.size(), 10u);
  std::set<std::string> ids;
  for (NoticeChain const& chain : ten) {
    EXPECT_EQ(chain.bodies, ten[0].bodies);
    ids.insert(chain.id);
  }
  EXPECT_EQ(ids.size(), 10u);
}

TEST_F(NoticeTest, reordered_delivers_the_older_one_second) {
  auto const chains = plan(Fault::reordered);
  ASSERT_EQ(chains.size(), 1u);
  ASSERT_EQ(chains[0].bodies.size(), 2u);
  auto const first = boost::json::parse(chains[0].bodies[0]);
  auto const second = boost::json::parse(chains[0].bodies[1]);
  EXPECT_EQ(first.at("type"), "charge.succeeded");
  EXPECT_EQ(second.at("type"), "charge.pending");
  EXPECT_EQ(second.at("status"), "pending");
  EXPECT_LT(second.at("created").as_int64(), first.at("created").as_int64());
  EXPECT_NE(second.at("id"), first.at("id"));
  EXPECT_EQ(second.at("number"), first.at("number"));
}

TEST_F(NoticeTest, faults_of_content_change_one_thing) {
  EXPECT_EQ(field(Fault::wrong_amount, "amount"), 2000);
  EXPECT_EQ(field(Fault::wrong_currency, "currency"), "EUR");
  EXPECT_EQ(field(Fault::wrong_account, "account"), "another-account");
  EXPECT_FALSE(is_attempt_id(field(Fault::foreign_number, "number").as_string().c_str()));
  auto const unknown = field(Fault::unknown_number, "number");
  EXPECT_TRUE(is_attempt_id(unknown.as_string().c_str()));
  EXPECT_NE(unknown, "pay_1");
  for (Fault const fault : {Fault::wrong_amount, Fault::wrong_currency, Fault::wrong_account, Fault::foreign_number})
    EXPECT_FALSE(plan(fault).at(0).wrong_signature);
}

}  // namespace
}  // namespace payonce::sandbox
