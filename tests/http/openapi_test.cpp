// The description of the interface: true to the table of routes, to itself, and served. That it is true to the answers
// is checked by every test of this folder.
#include "http/openapi.h"

#include <gtest/gtest.h>

#include "http/api_fixture.h"
#include "http/assets.gen.h"
#include "http/routes.h"

namespace payonce::test {

TEST(OpenApi, NamesTheOperationsOfTheRouteTable) {
  std::set<std::string> in_table;
  for (Route const& route : routes()) in_table.insert(std::string{route.method} + " " + std::string{route.pattern});
  EXPECT_EQ(in_table, OpenApi::ours().operations());
}

TEST(OpenApi, ItsExamplesFitItsSchemas) { EXPECT_EQ(OpenApi::ours().faults_of_itself(), Faults{}); }

TEST(OpenApi, TheCheckerFindsEveryKindOfFault) {
  OpenApi const none{"{}"};
  auto const faults = [&](std::string_view schema, std::string_view value) {
    return none.faults_of(json::parse({value.data(), value.size()}),
                          json::parse({schema.data(), schema.size()}).as_object(), "it");
  };
  EXPECT_EQ(faults(R"({"type":"integer"})", "1.0"), Faults{"it is 1E0, not of type integer"});
  EXPECT_EQ(faults(R"({"type":"string"})", "1"), Faults{"it is 1, not of type string"});
  EXPECT_EQ(faults(R"({"type":"integer","minimum":1})", "0"), Faults{"it is 0, out of its limits"});
  EXPECT_EQ(faults(R"({"enum":["a"]})", "\"b\""), Faults{"it is \"b\", which is not listed"});
  EXPECT_EQ(faults(R"({"required":["a"]})", "{}"), Faults{"it lacks a"});
  EXPECT_EQ(faults(R"({"properties":{},"additionalProperties":false})", R"({"a":1})"), Faults{"it.a is not described"});
  EXPECT_EQ(faults(R"({"additionalProperties":{"type":"string"}})", R"({"a":1})"),
            Faults{"it.a is 1, not of type string"});
  EXPECT_EQ(faults(R"({"items":{"type":"string"}})", R"(["a",1])"), Faults{"it[1] is 1, not of type string"});
  EXPECT_EQ(faults(R"({"pattern":"^[A-Z]{3}$"})", "\"usd\""), Faults{"it is \"usd\", not ^[A-Z]{3}$"});
  EXPECT_EQ(faults(R"({"maxLength":1})", "\"支付\""), Faults{"it is too long"});
  EXPECT_EQ(faults(R"({"not":{}})", "1"), Faults{"it: the checker does not know not"});
  EXPECT_EQ(faults(R"({"maxLength":2,"type":"string"})", "\"支付\""), Faults{});
}

TEST_F(HttpApi, TheDescriptionIsServedToAnyone) {
  Answered const answer = call_as("", "GET", "/openapi.json");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, assets::http::openapi_json);
}

}  // namespace payonce::test
