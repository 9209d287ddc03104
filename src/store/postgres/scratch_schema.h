// A schema of its own in a database that is there: as good as an empty database for whoever comes with its URL.
#pragma once

#include <string>

#include "base/error.h"

namespace payonce {

class ScratchSchema {
 public:
  // Makes a schema of this name, of lower-case letters, digits and `_`. The URL is one of postgresql://…
  static Result<ScratchSchema> create(std::string const& url, std::string const& name);

  ScratchSchema(ScratchSchema&& other) noexcept;
  ScratchSchema& operator=(ScratchSchema&&) = delete;
  // Drops it with all that is in it, if the database can still be reached.
  ~ScratchSchema();

  std::string const& url() const { return url_; }
  // Leaves it there.
  void keep() { name_.clear(); }

 private:
  ScratchSchema(std::string database_url, std::string name);

  std::string database_url_;
  std::string name_;
  std::string url_;
};

}  // namespace payonce
