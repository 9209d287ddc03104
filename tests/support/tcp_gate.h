// A gate between a client and a server: passes bytes to and fro until it is told to fail at a chosen byte or text. One
// failure hits one connection; those that come after it pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace payonce::test {

class TcpGate {
 public:
  // In front of a server that listens on this socket file.
  explicit TcpGate(std::string server_socket);
  ~TcpGate();
  TcpGate(TcpGate const&) = delete;
  TcpGate& operator=(TcpGate const&) = delete;

  // Where clients connect, on 127.0.0.1.
  std::uint16_t port() const { return port_; }

  enum class Sender { client, server };
  struct Failure {
    Sender sender;
    // Where in what the sender says from now on: so many bytes still pass, or all before this text.
    std::size_t bytes = 0;
    std::string text = {};
    // Keep the connection, but pass nothing more from this sender, as a network does that swallows packets.
    bool holds = false;
  };
  void arm(Failure failure);
  // Forgets a failure that has not happened; says whether it had.
  bool disarm();

 private:
  struct Link {
    int client;
    int server;
    bool is_held[2] = {false, false};  // by Sender
  };

  void run();
  void accept_client();
  // False when the link is to be closed.
  bool pass(Link& link, Sender sender);

  std::string const server_socket_;
  int listener_;
  int wake_[2];
  std::uint16_t port_;
  std::vector<Link> links_;  // of the thread
  std::mutex mutex_;
  std::optional<Failure> failure_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace payonce::test
