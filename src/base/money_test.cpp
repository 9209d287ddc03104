// Cases C46, C47 and C49: decimal text becomes minor units by one table and one parser, exactly or not at all.
#include "base/money.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "base/limits.h"

namespace payonce {
namespace {

struct Exact {
  std::string_view text;
  std::string_view currency;
  std::int64_t minor;
};

void expect_exact(std::initializer_list<Exact> rows) {
  for (Exact const& row : rows) {
    auto const money = parse_decimal(row.text, Currency::of(row.currency));
    ASSERT_TRUE(money) << row.text << ' ' << row.currency << ": " << money.error().detail;
    EXPECT_EQ(money->minor, row.minor) << row.text << ' ' << row.currency;
    EXPECT_EQ(money->currency.code(), row.currency);
  }
}

void expect_refused(std::string_view currency, std::initializer_list<std::string_view> texts) {
  for (std::string_view const text : texts) {
    auto const money = parse_decimal(text, Currency::of(currency));
    ASSERT_FALSE(money) << '"' << text << "\" " << currency << " became " << money->minor;
    EXPECT_EQ(money.error().code, ErrorCode::invalid_request);
    EXPECT_EQ(money.error().field, "amount");
    EXPECT_NE(money.error().detail.find(currency), std::string::npos);
  }
}

TEST(C49DecimalText, NeverLosesAUnitToADouble) {
  expect_exact({{"19.99", "USD", 1999},
                {"8.20", "USD", 820},
                {"0.29", "USD", 29},
                {"1.15", "USD", 115},
                {"4.35", "USD", 435},
                {"2.30", "USD", 230},
                {"19.9", "USD", 1990},
                {"33.3", "USD", 3330},
                {"9.8", "USD", 980},
                {"1.1", "USD", 110},
                {"1.005", "KWD", 1005},
                {"16777216.01", "USD", 1677721601},
                {"70368744177664.01", "USD", 7036874417766401},
                {"90071992547409.91", "USD", 9007199254740991}});
}

TEST(C49DecimalText, RefusesEveryOtherSpelling) {
  expect_refused("USD", {"1e3",      "0x10", " 19.99", "19,99",  "19.990", "NaN",   "-0",       "19.99 ",   "+19.99",
                         "-19.99",   "",     ".",      "19.",    ".99",    "1.2.3", "1_000",    "1,000.00", "1 000",
                         "Infinity", "inf",  "１９",   "$19.99", "19.9a",  "0b1",   "19.99USD", "\t1",      "1\n"});
  expect_refused("USD", {std::string_view{"1\0", 2}, std::string_view{"\0", 1}, "19.99\xff"});
}

TEST(C49DecimalText, RefusesWhatDoesNotFitInsteadOfWrapping) {
  expect_refused("USD", {"90071992547409.92", "92233720368547758.07", "92233720368547758.08", "184467440737095516.17",
                         "99999999999999999999999999999999999999"});
  expect_refused("JPY", {"9007199254740992", "18446744073709551617"});
  expect_refused("CLF", {"900719925474.0992"});
  expect_refused("USD", {std::string(400, '9')});
  expect_exact(
      {{"9007199254740991", "JPY", limits::amount_minor_max}, {"900719925474.0991", "CLF", limits::amount_minor_max}});
}

TEST(C46ZeroDecimalCurrency, EightyYenAreEighty) {
  expect_exact({{"80", "JPY", 80}, {"80", "KRW", 80}, {"80", "USD", 8000}, {"0", "JPY", 0}});
  expect_refused("JPY", {"80.00", "80.5", "80.0", "80."});
}

TEST(C47ThreeDecimalCurrency, OneDinarIsAThousandFils) {
  expect_exact({{"18.600", "KWD", 18600}, {"18.605", "KWD", 18605}, {"18.6", "KWD", 18600}, {"18", "KWD", 18000}});
  expect_exact({{"18.6", "BHD", 18600}, {"18.6", "TND", 18600}, {"0.001", "OMR", 1}});
  expect_refused("KWD", {"18.6000", "18.6051"});
}

TEST(Money, FourDigitsToo) {
  expect_exact({{"1.2345", "CLF", 12345}, {"1.2", "UYW", 12000}});
  expect_refused("CLF", {"1.23456"});
}

TEST(Money, LeadingZerosAreDigits) { expect_exact({{"007", "JPY", 7}, {"00.07", "USD", 7}}); }

TEST(Money, PrintsAsPeopleWriteIt) {
  EXPECT_EQ(to_decimal({1999, Currency::of("USD")}), "19.99");
  EXPECT_EQ(to_decimal({5, Currency::of("USD")}), "0.05");
  EXPECT_EQ(to_decimal({80, Currency::of("JPY")}), "80");
  EXPECT_EQ(to_decimal({18600, Currency::of("KWD")}), "18.600");
  EXPECT_EQ(to_decimal({1, Currency::of("CLF")}), "0.0001");
  EXPECT_EQ(to_decimal({0, Currency::of("CNY")}), "0.00");
  EXPECT_EQ(to_text({1999, Currency::of("USD")}), "19.99 USD");
}

TEST(Money, PrintsDifferencesBelowZeroToo) {
  EXPECT_EQ(to_decimal({-5, Currency::of("USD")}), "-0.05");
  EXPECT_EQ(to_decimal({-150, Currency::of("USD")}), "-1.50");
  EXPECT_EQ(to_decimal({-1, Currency::of("JPY")}), "-1");
  EXPECT_EQ(to_decimal({std::numeric_limits<std::int64_t>::min(), Currency::of("USD")}), "-92233720368547758.08");
}

TEST(Money, EqualOnlyWithItsCurrency) {
  EXPECT_EQ((Money{1, Currency::of("USD")}), (Money{1, Currency::of("USD")}));
  EXPECT_NE((Money{1, Currency::of("USD")}), (Money{1, Currency::of("CNY")}));
  EXPECT_NE((Money{1, Currency::of("USD")}), (Money{2, Currency::of("USD")}));
}

RC_GTEST_PROP(MoneyProperty, ParsingWhatWasPrintedGivesItBack, ()) {
  auto const code = *rc::gen::element<std::string>("JPY", "KRW", "USD", "CNY", "EUR", "KWD", "TND", "CLF", "UYW");
  auto const minor = *rc::gen::inRange<std::int64_t>(0, limits::amount_minor_max + 1);
  Money const money{minor, Currency::of(code)};
  auto const back = parse_decimal(to_decimal(money), money.currency);
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == money);
}

RC_GTEST_PROP(MoneyProperty, AnyBytesAreParsedOrRefused, (std::string const& text)) {
  auto const money = parse_decimal(text, Currency::of("USD"));
  if (money) RC_ASSERT(money->minor >= 0 && money->minor <= limits::amount_minor_max);
}

TEST(Currency, EveryDigitClassIsInTheTable) {
  struct Row {
    std::string_view codes;
    int digits;
  };
  // Written here once more, so that a slip in the table shows.
  for (Row const& row :
       {Row{"BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF", 0},
        Row{"BHD IQD JOD KWD LYD OMR TND", 3}, Row{"CLF UYW", 4},
        Row{"AED AUD BRL CAD CHF CNY CZK DKK EGP EUR GBP HKD HUF IDR ILS INR MXN MYR NOK NZD PHP PLN RON "
            "RUB SAR SEK SGD THB TRY TWD UAH USD XCD XCG ZAR ZMW ZWG",
            2}})
    for (std::size_t at = 0; at < row.codes.size(); at += 4) {
      std::string_view const code = row.codes.substr(at, 3);
      auto const currency = Currency::parse(code);
      ASSERT_TRUE(currency) << code;
      EXPECT_EQ(currency->code(), code);
      EXPECT_EQ(currency->digits(), row.digits) << code;
    }
}

TEST(Currency, RefusesWhatIsNoCodeInUse) {
  for (std::string_view const code : {"usd", "Usd", "",    "US",  "USDX", "U D", "XXX", "XTS", "XAU", "ZZZ",
                                      "D A", " US", "ED ", "DEM", "FRF",  "HRK", "ZWL", "840", "元",  "US\n"}) {
    auto const currency = Currency::parse(code);
    ASSERT_FALSE(currency) << code;
    EXPECT_EQ(currency.error().code, ErrorCode::invalid_request);
    EXPECT_EQ(currency.error().field, "currency");
  }
  EXPECT_THROW(static_cast<void>(Currency::of("usd")), std::logic_error);
}

TEST(Currency, ALongTextIsNotEchoedWhole) {
  auto const currency = Currency::parse(std::string(10'000, 'A'));
  ASSERT_FALSE(currency);
  EXPECT_LT(currency.error().detail.size(), 200U);
}

TEST(CheckedArithmetic, GivesNothingInsteadOfWrapping) {
  constexpr auto max = std::numeric_limits<std::int64_t>::max();
  constexpr auto min = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(checked_add(2, 3), 5);
  EXPECT_EQ(checked_add(max, 0), max);
  EXPECT_EQ(checked_add(max, min), -1);
  EXPECT_EQ(checked_add(max, 1), std::nullopt);
  EXPECT_EQ(checked_add(min, -1), std::nullopt);
  EXPECT_EQ(checked_subtract(2, 3), -1);
  EXPECT_EQ(checked_subtract(min, 0), min);
  EXPECT_EQ(checked_subtract(-1, min), max);
  EXPECT_EQ(checked_subtract(0, min), std::nullopt);
  EXPECT_EQ(checked_subtract(min, 1), std::nullopt);
}

}  // namespace
}  // namespace payonce
