#include "check/report.h"

#include <fmt/format.h>

#include <boost/json.hpp>

namespace payonce::check {

namespace {

std::string number_text(Byte count, std::string_view what) {
  return count == any_number ? fmt::format(" any {},", what) : count > 0 ? fmt::format(" {} {},", count, what) : "";
}

// The scope's bounds in words.
std::string bounds_text(Scope const& scope) {
  std::string text = fmt::format("at most {} payments, {} calls at once each,", scope.payments_max, scope.calls_max);
  text += number_text(scope.crashes, "crashes");
  text += number_text(scope.lost_answers, "lost answers");
  text += number_text(scope.lost_commits, "lost commit answers");
  text += number_text(scope.changes_of_mind, "changes of mind");
  text += number_text(scope.misfits, "misfits");
  text += number_text(scope.disputes, "disputes");
  text.pop_back();
  return text;
}

}  // namespace

std::string report_text(Timed const& result) {
  Exploration const& it = result.exploration;
  std::string text = fmt::format("{:16} {:>9} states, {:>10} steps, depth {:>3}, {:>7.1f} s  {}\n", it.scope->name,
                                 it.states, it.steps, it.depth, result.seconds,
                                 !it.findings.empty() ? "BROKEN"
                                 : it.is_whole        ? "whole; an end is in reach of each state"
                                                      : "NOT WHOLE: stopped at the bound");
  for (Finding const& finding : it.findings) {
    text += fmt::format("\nInvariant {}\n({}; {})\n", finding.broken, it.scope->sentence, bounds_text(*it.scope));
    for (std::size_t i = 0; i < finding.story.size(); ++i) text += fmt::format("{:>4}. {}\n", i + 1, finding.story[i]);
  }
  return text;
}

std::string summary_text(std::span<Timed const> results) {
  std::size_t states = 0;
  std::size_t steps = 0;
  double seconds = 0;
  std::string bounds;
  for (Timed const& result : results) {
    states += result.exploration.states;
    steps += result.exploration.steps;
    seconds += result.seconds;
    bounds += fmt::format("  {:16} {}\n", result.exploration.scope->name, bounds_text(*result.exploration.scope));
  }
  return fmt::format("{} states and {} steps in {:.1f} s, one order each, within these bounds:\n{}", states, steps,
                     seconds, bounds);
}

std::string report_json(std::span<Timed const> results) {
  boost::json::array scopes;
  for (auto const& [it, seconds] : results) {
    boost::json::object scope{
        {"scope", it.scope->name}, {"states", it.states},  {"steps", it.steps}, {"depth", it.depth},
        {"seconds", seconds},      {"whole", it.is_whole}, {"ends", it.ends},   {"bounds", bounds_text(*it.scope)}};
    for (Finding const& finding : it.findings) {
      scope["broken"] = finding.broken;
      scope["story"] = boost::json::value_from(finding.story);
    }
    scopes.push_back(std::move(scope));
  }
  return boost::json::serialize(boost::json::object{{"scopes", std::move(scopes)}}) + "\n";
}

}  // namespace payonce::check
