#include "bench/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <utility>

namespace payonce::bench {

namespace {

// The number behind `marker` in `text`; 0 if there is none.
std::size_t number_after(std::string_view text, std::string_view marker) {
  auto const at = text.find(marker);
  std::size_t number = 0;
  if (at != std::string_view::npos)
    std::from_chars(text.data() + at + marker.size(), text.data() + text.size(), number);
  return number;
}

}  // namespace

Result<Connection> Connection::open(std::string const& host, std::uint16_t port) {
  Connection connection{socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1)
    return fail(ErrorCode::invalid_request, host + " is not an IPv4 address");
  if (connect(connection.descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return fail(ErrorCode::unavailable, "nobody listens on " + host + ":" + std::to_string(port));
  int const yes = 1;
  setsockopt(connection.descriptor_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return connection;
}

Connection::Connection(Connection&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), buffer_(std::move(other.buffer_)) {}

Connection::~Connection() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool Connection::send(std::string_view request) {
  buffer_.clear();
  return ::send(descriptor_, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size());
}

Connection::Progress Connection::receive(Answer& answer) {
  char chunk[8192];
  ssize_t const count = recv(descriptor_, chunk, sizeof chunk, MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Progress::more;
  if (count <= 0) return Progress::closed;
  buffer_.append(chunk, static_cast<std::size_t>(count));
  auto const header_end = buffer_.find("\r\n\r\n");
  if (header_end == std::string::npos) return Progress::more;
  std::string_view const header{buffer_.data(), header_end + 2};
  std::size_t const body_size = number_after(header, "\r\nContent-Length: ");
  if (buffer_.size() < header_end + 4 + body_size) return Progress::more;
  answer.status = static_cast<int>(number_after(header, "HTTP/1.1 "));
  answer.body = buffer_.substr(header_end + 4, body_size);
  return Progress::complete;
}

}  // namespace payonce::bench
