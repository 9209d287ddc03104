#include "base/clock.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace payonce {

namespace {

using namespace std::chrono;

// Reads exactly `digits` digits at `at`, or gives -1.
int digits_at(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size()) return -1;
  int value = 0;
  for (char c : text.substr(at, digits)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

// Writes the value over exactly `digits` digits at `at`.
void write_digits(std::string& text, std::size_t at, std::size_t digits, int value) {
  for (std::size_t i = digits; i > 0; --i, value /= 10) text[at + i - 1] = static_cast<char>('0' + value % 10);
}

std::unexpected<Error> bad_time(std::string_view text) {
  return fail(ErrorCode::invalid_request,
              fmt::format("\"{}\" is not a time like 2026-01-02T03:04:05Z", text.substr(0, 40)));
}

// The offset behind the time of day: Z, +08:00 or -05:30.
Result<minutes> parse_offset(std::string_view text, std::string_view offset) {
  if (offset == "Z" || offset == "z") return minutes{0};
  if (offset.size() != 6 || (offset[0] != '+' && offset[0] != '-') || offset[3] != ':') return bad_time(text);
  int const hour = digits_at(offset, 1, 2);
  int const minute = digits_at(offset, 4, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return bad_time(text);
  minutes const size{hour * 60 + minute};
  return offset[0] == '+' ? size : -size;
}

}  // namespace

Time SystemClock::now() const { return floor<Millis>(system_clock::now()); }

nanoseconds SystemClock::monotonic() const { return steady_clock::now().time_since_epoch(); }

std::string to_rfc3339(Time time) {
  auto const day = floor<days>(time);
  year_month_day const date{day};
  hh_mm_ss const clock{time - day};
  // Digit by digit: every answer has two or three times in it, and a general formatter takes ten times as long.
  std::string text = "0000-00-00T00:00:00.000Z";
  write_digits(text, 0, 4, int(date.year()));
  write_digits(text, 5, 2, int(unsigned(date.month())));
  write_digits(text, 8, 2, int(unsigned(date.day())));
  write_digits(text, 11, 2, int(clock.hours().count()));
  write_digits(text, 14, 2, int(clock.minutes().count()));
  write_digits(text, 17, 2, int(clock.seconds().count()));
  write_digits(text, 20, 3, int(clock.subseconds().count()));
  return text;
}

Result<Time> parse_rfc3339(std::string_view text) {
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != 't') || text[13] != ':' ||
      text[16] != ':')
    return bad_time(text);
  int const part[] = {digits_at(text, 0, 4),  digits_at(text, 5, 2),  digits_at(text, 8, 2),
                      digits_at(text, 11, 2), digits_at(text, 14, 2), digits_at(text, 17, 2)};
  year_month_day const date{year{part[0]}, month{unsigned(part[1])}, day{unsigned(part[2])}};
  if (part[0] < 0 || part[1] < 1 || part[2] < 1 || !date.ok()) return bad_time(text);
  if (part[3] < 0 || part[3] > 23 || part[4] < 0 || part[4] > 59 || part[5] < 0 || part[5] > 59) return bad_time(text);

  std::size_t at = 19;
  int fraction_ms = 0;
  if (text[at] == '.') {
    std::size_t digits = 0;
    while (digits < 3 && digits_at(text, at + 1 + digits, 1) >= 0) ++digits;
    if (digits == 0) return bad_time(text);
    fraction_ms = digits_at(text, at + 1, digits);
    for (std::size_t i = digits; i < 3; ++i) fraction_ms *= 10;
    at += 1 + digits;
  }
  auto const offset = parse_offset(text, text.substr(at));
  if (!offset) return std::unexpected(offset.error());
  Time const time{sys_days{date} + hours{part[3]} + minutes{part[4]} + seconds{part[5]} + Millis{fraction_ms} -
                  *offset};
  // The offset may lead to a year that is not written in four digits.
  auto const utc_year = year_month_day{floor<days>(time)}.year();
  if (utc_year < year{0} || utc_year > year{9999}) return bad_time(text);
  return time;
}

}  // namespace payonce
