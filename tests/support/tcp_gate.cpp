#include "support/tcp_gate.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace payonce::test {

namespace {

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

int connect_to(std::string const& path) {
  int const socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  if (::connect(socket, reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0) return socket;
  ::close(socket);
  return -1;
}

}  // namespace

TcpGate::TcpGate(std::string server_socket)
    : server_socket_(std::move(server_socket)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, any, size) != 0 || ::listen(listener_, 16) != 0 || ::getsockname(listener_, any, &size) != 0 ||
      ::pipe(wake_) != 0)
    throw std::runtime_error("no gate");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

TcpGate::~TcpGate() {
  ::close(wake_[1]);
  thread_.join();
  ::close(wake_[0]);
  ::close(listener_);
}

void TcpGate::arm(Failure failure) {
  std::lock_guard const lock{mutex_};
  failure_ = std::move(failure);
}

bool TcpGate::disarm() {
  std::lock_guard const lock{mutex_};
  return !std::exchange(failure_, std::nullopt).has_value();
}

void TcpGate::run() {
  for (;;) {
    std::vector<pollfd> waiting{{wake_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
    for (Link const& link : links_) {
      waiting.push_back({link.client, POLLIN, 0});
      waiting.push_back({link.server, POLLIN, 0});
    }
    ::poll(waiting.data(), waiting.size(), -1);
    std::vector<Link> kept;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      Link link = links_[i];
      bool const is_open = (!waiting[2 + 2 * i].revents || pass(link, Sender::client)) &&
                           (!waiting[3 + 2 * i].revents || pass(link, Sender::server));
      if (is_open) {
        kept.push_back(link);
      } else {
        ::close(link.client);
        ::close(link.server);
      }
    }
    links_ = std::move(kept);
    if (waiting[0].revents) break;
    if (waiting[1].revents) accept_client();
  }
  for (Link const& link : links_) {
    ::close(link.client);
    ::close(link.server);
  }
}

void TcpGate::accept_client() {
  int const client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  int const server = connect_to(server_socket_);
  if (client >= 0 && server >= 0) {
    links_.push_back({client, server});
    return;
  }
  // As a server that is not there.
  if (client >= 0) ::close(client);
  if (server >= 0) ::close(server);
}

bool TcpGate::pass(Link& link, Sender sender) {
  std::array<char, 16 * 1024> buffer;
  bool const from_client = sender == Sender::client;
  ssize_t const size = ::recv(from_client ? link.client : link.server, buffer.data(), buffer.size(), 0);
  if (size <= 0) return false;
  auto& is_held = link.is_held[from_client ? 0 : 1];
  if (is_held) return true;
  std::string_view bytes{buffer.data(), static_cast<std::size_t>(size)};
  bool is_failing = false;
  {
    std::lock_guard const lock{mutex_};
    if (failure_ && failure_->sender == sender) {
      std::size_t const place = failure_->text.empty() ? failure_->bytes : bytes.find(failure_->text);
      is_failing = place < bytes.size();
      is_held = is_failing && failure_->holds;
      bytes = bytes.substr(0, std::min(place, bytes.size()));
      failure_->bytes -= std::min(failure_->bytes, bytes.size());
      if (is_failing) failure_.reset();
    }
  }
  return send_all(from_client ? link.server : link.client, bytes) && (!is_failing || is_held);
}

}  // namespace payonce::test
