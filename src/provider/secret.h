// A secret of the configuration and where it stands. One that stands in a file is read again when the file changes, so
// that keys are rotated without a restart. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"

namespace payonce {

class Secret {
 public:
  Secret() = default;
  // A value that stands for itself, and never changes.
  Secret(std::string value);  // NOLINT(google-explicit-constructor): settings are written as plain texts
  Secret(char const* value);  // NOLINT(google-explicit-constructor)
  // invalid_request, naming the path, when the file can't be read or is empty.
  static Result<Secret> from_file(std::string path);

  // The whole text, without line ends at its end: for keys in PEM form. A file that can't be read any more, or is
  // empty, keeps its last text.
  std::string const& text() const;
  // Its first line: for passwords and tokens.
  std::string line() const;
  bool empty() const { return text().empty(); }

 private:
  struct Source;
  std::shared_ptr<Source> source_;
};

}  // namespace payonce
