#include "drill/report.h"

#include <fmt/format.h>

#include <boost/json.hpp>

namespace payonce::drill {

namespace {

namespace json = boost::json;

constexpr char const* columns = "{:<42} {:<61} {:>7}  {:<6} {:>7}  {}\n";

}  // namespace

std::string table_head() {
  return fmt::format(columns, "failure", "what was done", "charges", "order", "effects", "verdict");
}

std::string table_line(Verdict const& verdict) {
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
    json::object row{{"name", verdict.name},
                     {"charges", verdict.outcome.charges},
                     {"order_state", verdict.outcome.order_state},
                     {"effects", verdict.outcome.effects},
                     {"verdict", verdict.holds ? "holds" : "violated"},
                     {"refunds", verdict.outcome.refunds},
                     {"what", verdict.what}};
    if (!verdict.why.empty()) row["why"] = verdict.why;
    if (!verdict.folder.empty()) row["folder"] = verdict.folder;
    text += (text.size() > 1 ? ",\n " : "\n ") + json::serialize(row);
  }
  return text + "\n]\n";
}

}  // namespace payonce::drill
