#include "base/json_object.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <limits>
#include <vector>

namespace payonce {

namespace {

namespace json = boost::json;

std::string text_of(std::string_view value) {
  JsonObject object;
  object.put("text", value);
  return std::move(object).text();
}

}  // namespace

TEST(JsonObject, IsEmptyWithoutMembers) { EXPECT_EQ(JsonObject{}.text(), "{}"); }

TEST(JsonObject, KeepsTheOrderOfItsMembers) {
  JsonObject inner;
  inner.put("en", "yes");
  JsonObject object;
  object.put("text", "a");
  object.put("flag", true);
  object.put("other", false);
  object.put("number", std::int64_t{-5});
  object.put("inner", inner);
  object.put_json("raw", R"(["x",1])");
  EXPECT_EQ(object.text(), R"({"text":"a","flag":true,"other":false,"number":-5,"inner":{"en":"yes"},"raw":["x",1]})");
}

TEST(JsonObject, WritesAnyNumber) {
  for (std::int64_t const number :
       {std::int64_t{0}, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    JsonObject object;
    object.put("number", number);
    EXPECT_EQ(json::parse(object.text()).at("number").as_int64(), number);
  }
}

TEST(JsonObject, WritesEveryCharacterAsTheLibraryDoes) {
  for (int c = 0; c < 0x80; ++c) {
    std::string const value = std::string{"a"} + static_cast<char>(c) + "b";
    EXPECT_EQ(text_of(value), json::serialize(json::object{{"text", value}})) << c;
  }
  EXPECT_EQ(text_of("支付成功"), "{\"text\":\"支付成功\"}");
  EXPECT_EQ(text_of(""), R"({"text":""})");
}

TEST(JsonObject, ShowsWhatIsNotUtf8AsReplaced) {
  EXPECT_EQ(text_of("a\xFF\"b"), "{\"text\":\"a\uFFFD\\\"b\"}");
  EXPECT_EQ(text_of("支\xE4\xBB"), "{\"text\":\"支\uFFFD\uFFFD\"}") << "a text that was cut";
}

TEST(JsonObject, MakesArrays) {
  auto const object_of = [](int number) {
    JsonObject object;
    object.put("n", std::int64_t{number});
    return object;
  };
  EXPECT_EQ(json_array(std::vector<int>{}, object_of), "[]");
  EXPECT_EQ(json_array(std::vector{1, 2}, object_of), R"([{"n":1},{"n":2}])");
}

}  // namespace payonce
