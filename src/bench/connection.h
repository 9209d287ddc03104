// One kept-alive client connection on a non-blocking socket: sends a request, reads its answer. Knows just enough HTTP
// for our own service's answers (Content-Length, no chunks).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace payonce::bench {

class Connection {
 public:
  // unavailable if nobody listens there.
  static Result<Connection> open(std::string const& host, std::uint16_t port);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  ~Connection();

  int descriptor() const { return descriptor_; }
  // Writes the request, which is small enough for a socket's buffer. False if the connection is gone.
  bool send(std::string_view request);

  struct Answer {
    int status;
    std::string body;
  };
  enum class Progress { more, complete, closed };
  // Reads what is there. When complete, `answer` holds it.
  Progress receive(Answer& answer);

 private:
  explicit Connection(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
  std::string buffer_;
};

}  // namespace payonce::bench
