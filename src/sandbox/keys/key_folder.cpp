#include "sandbox/keys/key_folder.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "sandbox/json_reader.h"

namespace payonce::sandbox {

namespace fs = std::filesystem;

namespace {

std::unexpected<Error> cannot(std::string_view what, fs::path const& path) {
  return fail(ErrorCode::unavailable,
              fmt::format("cannot {} {}; check that the folder of --keys may be written to", what, path.string()));
}

// Only the owner may read it: private keys are among them, and habits made in a sandbox last.
bool write_file(fs::path const& path, std::string_view text) {
  std::ofstream file{path, std::ios::binary | std::ios::trunc};
  std::error_code failed;
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, failed);
  file << text;
  file.close();
  return file.good() && !failed;
}

Result<void> write_all(fs::path const& folder, KeyFiles const& files) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return cannot("make", folder);
  for (auto const& [name, text] : files)
    if (name != settings_file && !write_file(folder / name, text)) return cannot("write", folder / name);
  if (!write_file(folder / settings_file, files.find(settings_file)->second)) return cannot("write", folder);
  return {};
}

Result<KeyFiles> read_all(fs::path const& folder) {
  KeyFiles files;
  std::error_code failed;
  for (fs::directory_iterator at{folder, failed}; !failed && at != fs::directory_iterator{}; at.increment(failed)) {
    if (!at->is_regular_file()) continue;
    std::ifstream file{at->path(), std::ios::binary};
    files[at->path().filename().string()] = {std::istreambuf_iterator<char>{file}, {}};
    if (!file.good() && !file.eof()) return cannot("read", at->path());
  }
  if (failed) return cannot("read", folder);
  return files;
}

}  // namespace

Result<KeyFiles> open_key_folder(std::string const& path, std::function<KeyFiles()> const& make) {
  fs::path const folder{path};
  if (!fs::exists(folder / settings_file)) {
    if (auto const written = write_all(folder, make()); !written) return std::unexpected(written.error());
  }
  return read_all(folder);
}

KeyReader::KeyReader(KeyFiles const& files) : files_(files) {
  auto settings = parse_object(text(settings_file));
  if (settings)
    settings_ = std::move(*settings);
  else
    complain(std::string{settings_file});
}

std::string KeyReader::setting(std::string_view name) {
  boost::json::value const* const value = settings_.if_contains({name.data(), name.size()});
  if (value != nullptr && value->is_string()) return std::string{value->as_string()};
  complain(fmt::format("\"{}\" in {}", name, settings_file));
  return {};
}

std::string KeyReader::text(std::string_view file) {
  if (auto const found = files_.find(file); found != files_.end()) return found->second;
  complain(std::string{file});
  return {};
}

RsaKey KeyReader::key(std::string_view file) {
  if (auto key = RsaKey::from_pem(text(file))) return std::move(*key);
  complain(std::string{file});
  return {};
}

void KeyReader::complain(std::string what) {
  if (!error_)
    error_ = Error{ErrorCode::invalid_request,
                   fmt::format("a folder of --keys is damaged: {} is not as it was made; remove the provider's folder "
                               "to have it made anew",
                               what)};
}

Result<void> KeyReader::result() const {
  if (error_) return std::unexpected(*error_);
  return {};
}

}  // namespace payonce::sandbox
