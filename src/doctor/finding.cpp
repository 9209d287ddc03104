#include "doctor/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

namespace payonce {

namespace {

std::string_view to_text(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::ok: return "ok";
    case CheckVerdict::warning: return "warning";
    case CheckVerdict::problem: return "problem";
  }
  return {};
}

std::ptrdiff_t count(Diagnoses const& diagnoses, CheckVerdict verdict) {
  return std::ranges::count(diagnoses, verdict, &Diagnosis::verdict);
}

}  // namespace

bool is_healthy(Diagnoses const& diagnoses) { return count(diagnoses, CheckVerdict::problem) == 0; }

std::string diagnoses_text(Diagnoses const& diagnoses) {
  std::string text;
  std::size_t width = 0;
  for (Diagnosis const& it : diagnoses) width = std::max(width, it.check.size());
  for (Diagnosis const& it : diagnoses) {
    text += fmt::format("{:<{}}  {:<7}  {}\n", it.check, width, to_text(it.verdict), it.finding);
    if (!it.advice.empty()) text += fmt::format("{:<{}}           -> {}\n", "", width, it.advice);
  }
  return text + fmt::format("{} ok, {} warnings, {} problems\n", count(diagnoses, CheckVerdict::ok),
                            count(diagnoses, CheckVerdict::warning), count(diagnoses, CheckVerdict::problem));
}

std::string diagnoses_json(Diagnoses const& diagnoses) {
  boost::json::array checks;
  for (Diagnosis const& it : diagnoses)
    checks.push_back(
        {{"check", it.check}, {"verdict", to_text(it.verdict)}, {"finding", it.finding}, {"advice", it.advice}});
  return boost::json::serialize(
             boost::json::object{{"healthy", is_healthy(diagnoses)}, {"checks", std::move(checks)}}) +
         "\n";
}

}  // namespace payonce
