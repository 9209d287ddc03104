// RFC 3339 in and out, to the millisecond.
#include "base/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace payonce {
namespace {

Time at(std::string_view text) {
  auto const time = parse_rfc3339(text);
  if (!time) throw std::logic_error(time.error().detail);
  return *time;
}

TEST(Rfc3339, PrintsMillisecondsInUtc) {
  EXPECT_EQ(to_rfc3339(from_epoch_ms(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_rfc3339(from_epoch_ms(1'767'323'045'678)), "2026-01-02T03:04:05.678Z");
  EXPECT_EQ(to_rfc3339(from_epoch_ms(-1)), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(to_rfc3339(from_epoch_ms(951'782'400'007)), "2000-02-29T00:00:00.007Z");
}

TEST(Rfc3339, ReadsFractionsAndEitherCase) {
  Time const whole = from_epoch_ms(1'767'323'045'000);
  EXPECT_EQ(at("2026-01-02T03:04:05Z"), whole);
  EXPECT_EQ(at("2026-01-02t03:04:05z"), whole);
  EXPECT_EQ(at("2026-01-02T03:04:05.6Z"), whole + Millis{600});
  EXPECT_EQ(at("2026-01-02T03:04:05.06Z"), whole + Millis{60});
  EXPECT_EQ(at("2026-01-02T03:04:05.678Z"), whole + Millis{678});
}

TEST(Rfc3339, OffsetsNameTheSameMoment) {
  Time const moment = from_epoch_ms(1'767'323'045'000);
  EXPECT_EQ(at("2026-01-02T11:04:05+08:00"), moment);
  EXPECT_EQ(at("2026-01-01T21:34:05-05:30"), moment);
  EXPECT_EQ(at("2026-01-02T03:04:05+00:00"), moment);
  EXPECT_EQ(at("2026-01-02T03:04:05-00:00"), moment);
  EXPECT_EQ(at("2026-01-03T03:03:05.000+23:59"), moment);
}

TEST(Rfc3339, RefusesWhatIsNoTime) {
  for (std::string_view const text : {"",
                                      "2026-01-02",
                                      "2026-01-02T03:04:05",
                                      "2026-01-02 03:04:05Z",
                                      "2026-13-01T00:00:00Z",
                                      "2026-00-01T00:00:00Z",
                                      "2026-01-00T00:00:00Z",
                                      "2026-01-32T00:00:00Z",
                                      "2026-02-29T00:00:00Z",
                                      "2026-02-30T00:00:00Z",
                                      "2026-01-02T24:00:00Z",
                                      "2026-01-02T23:60:00Z",
                                      "2026-01-02T23:59:60Z",
                                      "2026-01-02T03:04:05.Z",
                                      "2026-01-02T03:04:05.1234Z",
                                      "2026-01-02T03:04:05+8:00",
                                      "2026-01-02T03:04:05+0800",
                                      "2026-01-02T03:04:05+24:00",
                                      "2026-01-02T03:04:05+08:60",
                                      "2026-01-02T03:04:05Z ",
                                      " 2026-01-02T03:04:05Z",
                                      "2026-01-02T03:04:05ZZ",
                                      "-026-01-02T03:04:05Z",
                                      "2026-01-02T-3:04:05Z",
                                      "2026-01-02T03:04:05.-1Z",
                                      "2026/01/02T03:04:05Z",
                                      "2026-01-02T03.04.05Z",
                                      "0000-01-01T00:00:00+14:00",
                                      "9999-12-31T23:59:59-00:01",
                                      "1767323045",
                                      "now",
                                      "２０２６-01-02T03:04:05Z"}) {
    auto const time = parse_rfc3339(text);
    ASSERT_FALSE(time) << text << " became " << to_rfc3339(*time);
    EXPECT_EQ(time.error().code, ErrorCode::invalid_request);
  }
}

RC_GTEST_PROP(Rfc3339Property, ParsingWhatWasPrintedGivesItBack, ()) {
  // The year 1 to 9999, which is what four digits hold.
  auto const time = from_epoch_ms(*rc::gen::inRange<std::int64_t>(-62'135'596'800'000, 253'402'300'800'000));
  auto const back = parse_rfc3339(to_rfc3339(time));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == time);
}

RC_GTEST_PROP(Rfc3339Property, AnyBytesAreReadOrRefused, ()) {
  auto text = *rc::gen::element<std::string>("2026-01-02T03:04:05.678+08:00", "2026-01-02T03:04:05Z", "");
  auto const edits = *rc::gen::inRange(0, 4);
  for (int i = 0; i < edits && !text.empty(); ++i)
    text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
  text.resize(*rc::gen::inRange<std::size_t>(0, 40), ' ');
  auto const time = parse_rfc3339(text);
  if (time) RC_ASSERT(parse_rfc3339(to_rfc3339(*time)).value() == *time);
}

TEST(Clock, EpochMillisecondsRoundTrip) {
  EXPECT_EQ(to_epoch_ms(from_epoch_ms(1'760'000'000'001)), 1'760'000'000'001);
  EXPECT_EQ(to_epoch_ms(Time{}), 0);
}

TEST(Clock, TheMonotonicClockNeverGoesBack) {
  SystemClock const clock;
  auto const first = clock.monotonic();
  EXPECT_LE(first, clock.monotonic());
  EXPECT_GT(clock.now(), at("2026-01-01T00:00:00Z"));
}

}  // namespace
}  // namespace payonce
