#include "verify/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

namespace payonce {

namespace {

namespace json = boost::json;

// A person who has read so many goes to the first of them, or asks for JSON.
constexpr std::size_t facts_shown_max = 20;

std::vector<Finding> violations_of(VerifyReport const& report, Invariant const& invariant) {
  std::vector<Finding> found;
  std::ranges::copy_if(report.violations, std::back_inserter(found),
                       [&](Finding const& it) { return it.invariant == invariant.number; });
  return found;
}

std::string fact_lines(std::vector<Finding> const& findings) {
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), facts_shown_max); ++i) {
    Finding const& it = findings[i];
    text += fmt::format("     order {}/{}: {}{}{}\n", it.order.merchant.value, it.order.order.value, it.subject,
                        it.subject.empty() ? "" : " ", it.fact);
  }
  if (findings.size() > facts_shown_max)
    text += fmt::format("     … and {} more; --json shows all\n", findings.size() - facts_shown_max);
  return text;
}

json::array finding_array(std::vector<Finding> const& findings) {
  json::array array;
  for (Finding const& it : findings)
    array.push_back({{"merchant_id", it.order.merchant.value},
                     {"order_id", it.order.order.value},
                     {"subject", it.subject},
                     {"fact", it.fact}});
  return array;
}

}  // namespace

std::string report_text(VerifyReport const& report) {
  std::string text;
  std::size_t violated = 0;
  for (Invariant const& invariant : invariants) {
    auto const found = violations_of(report, invariant);
    violated += !found.empty();
    text += fmt::format("{:>2} {:.<64} {}\n{}", invariant.number, std::string{invariant.name} + " ",
                        found.empty() ? "holds" : "VIOLATED", fact_lines(found));
  }
  if (!report.open.empty()) text += fmt::format("still open: {}\n{}", report.open.size(), fact_lines(report.open));
  if (report.history_unread > 0)
    text += fmt::format("{} orders have their history in an archive: it was not checked; name it by --archive\n",
                        report.history_unread);
  text += fmt::format("{} orders, {} payments, {} refunds, {} effects, {} events, {} notices: ", report.orders,
                      report.payments, report.refunds, report.effects, report.events, report.notices);
  return text +
         (violated == 0 ? "all ten invariants hold\n" : fmt::format("{} of ten invariants are VIOLATED\n", violated));
}

std::string report_json(VerifyReport const& report) {
  json::array rows;
  for (Invariant const& invariant : invariants) {
    auto const found = violations_of(report, invariant);
    rows.push_back({{"number", invariant.number},
                    {"name", invariant.name},
                    {"holds", found.empty()},
                    {"violations", finding_array(found)}});
  }
  return json::serialize(json::object{{"holds", report.holds()},
                                      {"invariants", std::move(rows)},
                                      {"still_open", finding_array(report.open)},
                                      {"orders", report.orders},
                                      {"payments", report.payments},
                                      {"refunds", report.refunds},
                                      {"effects", report.effects},
                                      {"events", report.events},
                                      {"notices", report.notices},
                                      {"archived", report.archived},
                                      {"history_unread", report.history_unread}}) +
         "\n";
}

}  // namespace payonce
