// The commands of the program, one file each.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace payonce {

// What the command line chose; returns the exit status.
using Chosen = std::function<int()>;

// Each adds its command to the program; when it is the one given, it sets `chosen`.
void add_serve(CLI::App& program, Chosen& chosen);
void add_key(CLI::App& program, Chosen& chosen);
void add_sandbox(CLI::App& program, Chosen& chosen);
void add_demo(CLI::App& program, Chosen& chosen);
void add_verify(CLI::App& program, Chosen& chosen);
void add_explain(CLI::App& program, Chosen& chosen);
void add_ledger(CLI::App& program, Chosen& chosen);
void add_reconcile(CLI::App& program, Chosen& chosen);
void add_states(CLI::App& program, Chosen& chosen);
void add_bench(CLI::App& program, Chosen& chosen);
void add_drill(CLI::App& program, Chosen& chosen);
void add_copy(CLI::App& program, Chosen& chosen);
void add_archive(CLI::App& program, Chosen& chosen);
void add_doctor(CLI::App& program, Chosen& chosen);
void add_check(CLI::App& program, Chosen& chosen);
void add_simulate(CLI::App& program, Chosen& chosen);

// Prints "payonce: <error>" to standard error; the exit status for it.
struct Error;
int complain(Error const& error);

}  // namespace payonce
