// Whether a database that speaks PostgreSQL's protocol keeps what payonce builds on: the essentials of the store suite,
// run for real in a scratch schema that is made and dropped. Nothing else in the database is touched.
#pragma once

#include <string>

#include "base/error.h"
#include "doctor/finding.h"

namespace payonce {

// A URL of postgresql://…; `name` is the scratch schema's. Error: the schema can't be made.
Result<Diagnoses> check_conformance(std::string const& url, std::string const& name);

}  // namespace payonce
