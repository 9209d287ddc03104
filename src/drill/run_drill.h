// The drill: every failure in a world of its own, several at a time, and a report of what became of each.
#pragma once

#include <string>
#include <vector>

namespace payonce {

struct DrillOptions {
  std::vector<std::string> only;  // names; empty: all
  bool as_json = false;
  bool keep_folders = false;
  int at_once = 4;
  std::string database;  // postgresql://…: each failure in a schema of its own there; empty: an SQLite file each
  int nodes = 1;         // 1 or 2 services on the database
  std::string provider = "sandbox";  // whose connector and dialect: one of drill_providers()
};

std::vector<std::string> drill_providers();

// Prints to standard output. Returns 0 only if everything holds.
int run_drill(DrillOptions const& options);
void list_drill(std::string const& provider);

}  // namespace payonce
