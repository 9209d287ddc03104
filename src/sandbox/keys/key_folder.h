// A folder of small files that is made once, as a whole, and only read from then on: the keys of one provider.
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sandbox/keys/rsa_key.h"

namespace payonce::sandbox {

// Files by name, each with its text. settings.json among them holds what is no key file.
using KeyFiles = std::map<std::string, std::string, std::less<>>;

inline constexpr std::string_view settings_file = "settings.json";

// Reads the folder; where it has no settings.json, writes what `make` gives (settings.json last, so that a folder with
// it is whole) and reads that. unavailable if the disk refuses.
Result<KeyFiles> open_key_folder(std::string const& path, std::function<KeyFiles()> const& make);

// Takes what it is asked for out of the files and keeps the first complaint.
class KeyReader {
 public:
  explicit KeyReader(KeyFiles const& files);  // the files must outlive the reader

  std::string setting(std::string_view name);  // a text of settings.json
  std::string text(std::string_view file);
  RsaKey key(std::string_view file);

  // invalid_request, naming what is not there or not what it should be.
  Result<void> result() const;

 private:
  void complain(std::string what);

  KeyFiles const& files_;
  boost::json::object settings_;
  std::optional<Error> error_;
};

}  // namespace payonce::sandbox
