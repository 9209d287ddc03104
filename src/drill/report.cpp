#include "drill/report.h"

#include <fmt/format.h>

#include <boost/json.hpp>

namespace payonce::drill {

namespace {

namespace json = boost::json;

constexpr char const* columns = "{:<42} {:<61} {:>7}  {:<6} {:>7}  {}\n";

std::string_view verdict_text(Verdict const& verdict) {
  if (!verdict.is_applicable) return "not applicable";
  return verdict.holds ? "holds" : "violated";
}

}  // namespace

std::string table_head() {
  return fmt::format(columns, "failure", "what was done", "charges", "order", "effects", "verdict");
}

std::string table_line(Verdict const& verdict) {
  if (!verdict.is_applicable)
    return fmt::format(fmt::runtime(columns), verdict.name, verdict.what, "-", "-", "-",
                       "not applicable: " + verdict.why);
  OrderOutcome const& outcome = verdict.outcome;
  std::string const given_back = outcome.refunds > 0 ? fmt::format(", {} given back", outcome.refunds) : "";
  std::string line = fmt::format(fmt::runtime(columns), verdict.name, verdict.what, outcome.charges,
                                 outcome.order_state.empty() ? "?" : outcome.order_state, outcome.effects,
                                 (verdict.holds ? "holds" : "VIOLATED") + given_back);
  if (!verdict.why.empty()) line += fmt::format("    {}\n", verdict.why);
  if (!verdict.folder.empty()) line += fmt::format("    kept in {}\n", verdict.folder);
  return line;
}

std::string to_json(std::vector<Verdict> const& verdicts) {
  std::string text = "[";
  for (Verdict const& verdict : verdicts) {
    json::object row{{"name", verdict.name}};
    if (verdict.is_applicable) {
      row["charges"] = verdict.outcome.charges;
      row["order_state"] = verdict.outcome.order_state;
      row["effects"] = verdict.outcome.effects;
      row["refunds"] = verdict.outcome.refunds;
    }
    row["verdict"] = verdict_text(verdict);
    row["what"] = verdict.what;
    if (!verdict.why.empty()) row["why"] = verdict.why;
    if (!verdict.folder.empty()) row["folder"] = verdict.folder;
    text += (text.size() > 1 ? ",\n " : "\n ") + json::serialize(row);
  }
  return text + "\n]\n";
}

}  // namespace payonce::drill
