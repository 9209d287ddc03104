// API keys and the audit log.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

ApiKeyRow api_key(std::string_view merchant, std::string_view name, char digit) {
  return ApiKeyRow{.merchant = MerchantId{merchant},
                   .name = std::string{name},
                   .hash_hex = std::string(64, digit),
                   .created_at = noon,
                   .revoked_at = std::nullopt};
}

void insert(Writer& writer, ApiKeyRow const& key) {
  writer.begin();
  writer.insert_api_key(key);
  writer.commit();
}

bool revoke(Writer& writer, std::string_view merchant, std::string const& name) {
  writer.begin();
  bool const revoked = writer.revoke_api_key(MerchantId{merchant}, name, noon + Millis{1});
  writer.commit();
  return revoked;
}

}  // namespace

TEST_P(StoreSuite, AnApiKeyIsFoundByItsHash) {
  ApiKeyRow const key = api_key("shop", "web 商店", 'a');
  insert(writer(), key);
  auto const found = reader().find_api_key(key.hash_hex);
  ASSERT_TRUE(found);
  EXPECT_EQ(fields(*found), fields(key));
  EXPECT_FALSE(reader().find_api_key(std::string(64, 'b')));
  EXPECT_FALSE(reader().find_api_key(std::string(64, 'A')));
  EXPECT_FALSE(reader().find_api_key(""));
}

TEST_P(StoreSuite, ARevokedApiKeySaysSoAndItsNameIsFreeAgain) {
  insert(writer(), api_key("shop", "web", 'a'));
  EXPECT_FALSE(revoke(writer(), "other", "web"));
  EXPECT_FALSE(revoke(writer(), "shop", "app"));
  EXPECT_TRUE(revoke(writer(), "shop", "web"));
  EXPECT_EQ(reader().find_api_key(std::string(64, 'a'))->revoked_at, noon + Millis{1});
  EXPECT_FALSE(revoke(writer(), "shop", "web")) << "it is no live key any more";
  insert(writer(), api_key("shop", "web", 'b'));
  auto const keys = reader().api_keys(MerchantId{"shop"});
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_TRUE(keys[0].revoked_at);
  EXPECT_FALSE(keys[1].revoked_at);
}

TEST_P(StoreSuite, ALiveApiKeyOfTheSameNameIsAConflict) {
  insert(writer(), api_key("shop", "web", 'a'));
  insert(writer(), api_key("other", "web", 'b'));
  try {
    insert(writer(), api_key("shop", "web", 'c'));
    FAIL() << "two live keys of one name";
  } catch (StoreError const& error) {
    EXPECT_EQ(error.kind, conflict);
    writer().rollback();
  }
  EXPECT_EQ(reader().api_keys(MerchantId{"shop"}).size(), 1u);
}

TEST_P(StoreSuite, TheAuditLogIsAppendOnly) {
  writer().begin();
  writer().insert_audit({MerchantId{"shop"}, "Zoë", "api_key.created", "web", noon});
  writer().commit();
  EXPECT_FALSE(database().execute("UPDATE audit_log SET actor = 'nobody'"));
  EXPECT_FALSE(database().execute("DELETE FROM audit_log"));
  EXPECT_TRUE(
      database().execute("INSERT INTO audit_log (merchant_id, actor, action, detail, at) VALUES ('m', '', '', '', 1)"));
}

}  // namespace payonce::test
