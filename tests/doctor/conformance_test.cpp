// The conformance checks hold on PostgreSQL, and each one notices when what it is about is taken away.
#include "doctor/conformance.h"

#include <gtest/gtest.h>

#include "doctor/conformance_checks.h"
#include "store/postgres/postgres_store.h"
#include "support/postgres_server.h"

namespace payonce::test {

namespace {

PostgresServer& server() { return PostgresServer::shared(); }

constexpr char const* brief = "%20-clock_timeout%3D300";

// What a check says about a schema that was changed after its making.
std::string said(std::string_view check, std::string const& change) {
  std::string const schema = server().create_schema();
  // In front of the server's own functions, so that one of them can be replaced.
  std::string const url = server().url(schema) + ",pg_catalog" + brief;
  auto const store = open_postgres(url).value();
  EXPECT_TRUE(store->migrate());
  EXPECT_TRUE(server().execute(schema, change)) << change;
  Scene scene{*store, url};
  for (ConformanceCheck const& it : conformance_checks())
    if (it.name == check) return it.play(scene);
  ADD_FAILURE() << "no check " << check;
  return {};
}

}  // namespace

TEST(Conformance, PostgresqlHoldsAllAndNothingIsLeftBehind) {
  std::string const url = server().url(server().create_schema());
  auto const found = check_conformance(url, "scratch_conformance");
  ASSERT_TRUE(found) << found.error().detail;
  EXPECT_TRUE(is_healthy(*found)) << diagnoses_text(*found);
  EXPECT_EQ(found->size(), conformance_checks().size() + 1);
  EXPECT_EQ(server().execute("public", "SELECT count(*) FROM pg_namespace WHERE nspname = 'scratch_conformance'"), "0");
}

TEST(Conformance, EachCheckNoticesWhatIsTakenAway) {
  struct Case {
    std::string_view check;
    std::string change;
  };
  for (Case const& it : std::vector<Case>{
           {"second live payment is refused", "DROP INDEX one_live_or_paid_attempt"},
           {"released payment makes room", "CREATE UNIQUE INDEX whole ON payment_attempts (merchant_id, order_id)"},
           {"idempotency key is unique", "DROP INDEX one_attempt_of_a_key"},
           {"keys compare byte by byte", "ALTER TABLE orders ALTER order_id TYPE TEXT COLLATE \"en-x-icu\""},
           {"sums stay within the amount", "ALTER TABLE orders DROP CONSTRAINT paid_and_held_within_amount"},
           {"success stays a success", "ALTER TABLE payment_attempts DROP CONSTRAINT captured_is_succeeded"},
           {"captures stay within what is held", "DROP TRIGGER capture_within_held ON captures"},
           {"refunds stay within what was captured", "DROP TRIGGER refund_within_captured ON refunds"},
           {"rollback leaves nothing", "ALTER TABLE orders DROP CONSTRAINT paid_and_held_within_amount"},
           {"feed has no gap",
            "CREATE FUNCTION pg_snapshot_xmin(pg_snapshot) RETURNS xid8 LANGUAGE sql AS "
            "'SELECT pg_catalog.pg_snapshot_xmax($1)'"},
           {"timeline is append-only", "DROP TRIGGER events_are_not_changed ON attempt_events"},
           {"plans use indexes", "DROP INDEX attempts_due"},
       })
    EXPECT_NE(said(it.check, it.change), "") << it.check;
}

TEST(Conformance, ASchemaThatCanNotBeMadeIsAnError) {
  ASSERT_TRUE(server().execute("public", "CREATE ROLE visitor LOGIN"));
  auto const found = check_conformance(server().url("public") + "&user=visitor", "scratch_visitor");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().detail.find("CREATE"), std::string::npos) << found.error().detail;
}

}  // namespace payonce::test
