// Looks at a database before it is used. Changes nothing in it.
#pragma once

#include <string>

#include "doctor/finding.h"

namespace payonce {

// A URL of postgresql://…
Diagnoses examine_postgres(std::string const& url);
// The path of a file.
Diagnoses examine_sqlite(std::string const& path);

}  // namespace payonce
