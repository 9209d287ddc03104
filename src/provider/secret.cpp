#include "provider/secret.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/log.h"

namespace payonce {

namespace {

namespace fs = std::filesystem;

std::string read_trimmed(std::string const& path) {
  std::ifstream file{path};
  std::ostringstream text;
  text << file.rdbuf();
  std::string content = file ? text.str() : std::string{};
  while (content.ends_with('\n') || content.ends_with('\r')) content.pop_back();
  return content;
}

// What tells one state of a file from another. Replacing a file, as tools that rotate secrets do, changes all of it.
struct Stamp {
  fs::file_time_type written{};
  std::uintmax_t bytes = 0;

  bool operator==(Stamp const&) const = default;
};

Stamp stamp_of(std::string const& path) {
  std::error_code error;
  Stamp stamp{fs::last_write_time(path, error), 0};
  stamp.bytes = fs::file_size(path, error);
  return error ? Stamp{} : stamp;
}

}  // namespace

struct Secret::Source {
  std::string path;  // empty: the text stands for itself
  std::string text;
  Stamp stamp = {};

  void refresh() {
    if (path.empty()) return;
    Stamp const now = stamp_of(path);
    if (now == stamp) return;
    stamp = now;
    std::string fresh = read_trimmed(path);
    if (fresh.empty()) {
      log_error("secret file {} can't be read or is empty; what it held before stays in use", path);
      return;
    }
    if (fresh != text) log_info("secret file {} was read again", path);
    text = std::move(fresh);
  }
};

Secret::Secret(std::string value) : source_(std::make_shared<Source>(Source{{}, std::move(value)})) {}
Secret::Secret(char const* value) : Secret(std::string{value}) {}

Result<Secret> Secret::from_file(std::string path) {
  Secret secret;
  Stamp const stamp = stamp_of(path);
  secret.source_ = std::make_shared<Source>(Source{path, read_trimmed(path), stamp});
  if (secret.source_->text.empty())
    return fail(ErrorCode::invalid_request, fmt::format("the file {}, which can't be read or is empty", path));
  return secret;
}

std::string const& Secret::text() const {
  static std::string const nothing;
  if (!source_) return nothing;
  source_->refresh();
  return source_->text;
}

std::string Secret::line() const {
  std::string const& all = text();
  return all.substr(0, all.find_first_of("\r\n"));
}

}  // namespace payonce
