// Blocking TCP sockets for tests that need bytes on the wire exactly as they are written here.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace payonce {

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// A listening socket. While nobody calls accept(), the system completes connections and no one answers.
class RawListener {
 public:
  RawListener() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<sockaddr const*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(descriptor_, 16), 0);
    ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~RawListener() { close(); }

  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }
  int accept() const { return ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC); }
  std::uint16_t port() const { return port_; }

 private:
  int descriptor_;
  std::uint16_t port_ = 0;
};

class RawSocket {
 public:
  explicit RawSocket(std::uint16_t port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    timeval const patience{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in const address = loopback(port);
    EXPECT_EQ(::connect(descriptor_, reinterpret_cast<sockaddr const*>(&address), sizeof address), 0);
  }
  RawSocket(RawSocket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  ~RawSocket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  // False once the peer has reset the connection.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      auto const sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Up to and with `end`, or to the end of the stream; `reset()` tells whether that was a reset.
  std::string read_until(std::string_view end) {
    while (buffer_.find(end) == std::string::npos && receive()) {
    }
    auto const at = buffer_.find(end);
    auto const bytes = at == std::string::npos ? buffer_.size() : at + end.size();
    return take(bytes);
  }

  // One answer with its body, as told by Content-Length.
  std::string read_answer() {
    std::string answer = read_until("\r\n\r\n");
    auto const at = answer.find("Content-Length: ");
    std::size_t const length = at == std::string::npos ? 0 : std::stoul(answer.substr(at + 16));
    while (buffer_.size() < length && receive()) {
    }
    return answer + take(std::min(length, buffer_.size()));
  }

  std::string read_to_end() {
    while (receive()) {
    }
    return take(buffer_.size());
  }

  bool reset() const { return reset_; }
  void finish_sending() const { ::shutdown(descriptor_, SHUT_WR); }

 private:
  bool receive() {
    char bytes[4096];
    auto const got = ::recv(descriptor_, bytes, sizeof bytes, 0);
    if (got < 0) {
      reset_ = errno == ECONNRESET;
      EXPECT_TRUE(reset_) << "waited in vain for the server";
    }
    if (got <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return true;
  }

  std::string take(std::size_t bytes) {
    std::string taken = buffer_.substr(0, bytes);
    buffer_.erase(0, bytes);
    return taken;
  }

  int descriptor_;
  std::string buffer_;
  bool reset_ = false;
};

}  // namespace payonce
