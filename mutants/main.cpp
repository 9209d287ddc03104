// payonce with deliberate faults in it, of which --mutate switches one on: to see that those who are to find faults do.
// Never ship it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/program.h"
#include "faults.gen.h"
#include "mutants/hunt.h"
#include "mutants/mutated.h"

namespace {

using payonce::mutants::faults;

int list() {
  for (auto const& fault : faults) std::cout << fault.name << '\t' << fault.found_by << '\t' << fault.sentence << '\n';
  return 0;
}

void switch_on(std::string const& name) {
  auto const at = std::ranges::find(faults, name, &payonce::mutants::Listed::name);
  if (at == std::end(faults))
    throw CLI::ValidationError("--mutate", "there is no fault " + name + "; see payonce_mutants faults");
  payonce::active_fault = at->name;
}

}  // namespace

int main(int argc, char** argv) {
  return payonce::run_program(argc, argv, [](CLI::App& program, payonce::Chosen& chosen) {
    program.add_option_function<std::string>("--mutate", switch_on, "Switch this deliberate fault on");
    program.add_subcommand("faults", "List the deliberate faults, who finds each, and what it breaks")
        ->callback([&chosen] { chosen = list; });
    auto const part = std::make_shared<std::string>();
    CLI::App* const hunt = program.add_subcommand("hunt", "Look for all of them, one after the other");
    hunt->add_option("name", *part, "Only those whose names contain this");
    auto const looks_further = std::make_shared<bool>(false);
    hunt->add_flag("--further", *looks_further, "Show in how many of 40 runs the simulator sees each fault, too");
    hunt->callback([part, looks_further, &chosen] {
      chosen = [part, looks_further] { return payonce::mutants::hunt(*part, *looks_further); };
    });
  });
}
