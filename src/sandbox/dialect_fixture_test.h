// The sandbox with the keys of its dialects, for their tests: the keys are made once for all of them.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "sandbox/keys/rsa_key.h"
#include "sandbox/server_fixture_test.h"

namespace payonce::sandbox {

// A folder that is gone when the program ends.
class SharedKeys {
 public:
  ~SharedKeys() { std::filesystem::remove_all(path); }
  std::string const path = testing::TempDir() + "sandbox_keys_" + std::to_string(::getpid());
};

class DialectTest : public SandboxServerTest {
 protected:
  DialectTest() {
    static SharedKeys const keys;
    options.keys_path = keys.path;
  }

  // What stands in this file of the folder of keys.
  std::string file(std::string const& name) const {
    std::ifstream file{options.keys_path + "/" + name};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  std::string setting(std::string const& provider, std::string_view name) const {
    return std::string{json::parse(file(provider + "/settings.json")).at(name).as_string()};
  }
  RsaKey key(std::string const& name) const { return *RsaKey::from_pem(file(name)); }
  std::string merchant_url(std::string_view path) const {
    return fmt::format("http://127.0.0.1:{}{}", merchant->port(), path);
  }
};

// The text at a pointer such as "/error/code"; empty if there is none.
inline std::string text_at(HttpAnswer const& answer, std::string_view pointer) {
  boost::system::error_code error;
  json::value const body = json::parse(answer.body, error);
  json::value const* const found = error ? nullptr : body.find_pointer(pointer, error);
  json::string const* const text = found ? found->if_string() : nullptr;
  return text ? std::string{*text} : std::string{};
}

}  // namespace payonce::sandbox
