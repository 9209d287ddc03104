// What the doctor found out about a database, one line per check, and how it is told.
#pragma once

#include <string>
#include <vector>

namespace payonce {

enum class CheckVerdict {
  ok,
  warning,  // payonce works; something that is valuable is missing
  problem,  // the promise can be broken, or payonce can't work
};

struct Diagnosis {
  std::string check;
  CheckVerdict verdict = CheckVerdict::ok;
  std::string finding;
  std::string advice = {};  // what to do; empty when nothing
};

using Diagnoses = std::vector<Diagnosis>;

bool is_healthy(Diagnoses const& diagnoses);  // no problem among them
std::string diagnoses_text(Diagnoses const& diagnoses);
std::string diagnoses_json(Diagnoses const& diagnoses);

}  // namespace payonce
