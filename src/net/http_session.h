// One server connection: reads a request, has it handled, writes the answer, and again.
// Internal to net/ (includes Asio). Not for: accepting (http_server.cpp) or parsing (http_wire.h).
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "net/http_server.h"
#include "net/http_wire.h"

namespace payonce {

class HttpSession;

// What the sessions of one server share. Outlives every session that is not closed.
struct HttpSessionContext {
  HttpSessionContext(AsioLoop& on, HttpServerOptions given, HttpHandler handle)
      : loop(on),
        options(std::move(given)),
        handler(std::move(handle)),
        limits{options.header_bytes_max, options.target_bytes_max, options.body_limit} {}

  AsioLoop& loop;
  HttpServerOptions options;
  HttpHandler handler;
  HttpRequestLimits limits;
  std::unordered_map<HttpSession*, std::shared_ptr<HttpSession>> sessions;
  Millis now = {};  // coarse: advanced by the sweep, so that arming a deadline reads no clock and sets no timer
  bool draining = false;
  std::function<void()> on_session_end;
};

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  // The concrete executor spares a virtual call on every read.
  using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

  HttpSession(HttpSessionContext& context, Socket socket, std::string peer);

  void start();
  // Answers 503 without reading anything, and closes.
  void refuse_connection();
  // Closes if no request has begun.
  void close_if_idle();
  // Acts if the peer has used up its time: 408 for an unfinished request, otherwise the connection is closed.
  void check_deadline();
  // No answer is sent any more; pending ones do nothing.
  void close();

  // The answer to the request that is being handled. For the Respond of that request.
  void answer(HttpResponse response);
  void answer_abandoned();

 private:
  enum class Phase { idle, header, body, handling, writing, lingering, closed };

  void enter(Phase phase);
  void read();
  void on_read(boost::system::error_code const& error, std::size_t bytes);
  void pump();
  bool step();
  bool make_room();
  void send_continue();
  void dispatch();
  void refuse(int status, std::string_view reason);
  void begin_answer(HttpResponse response);
  void write_more();
  void finish_answer();
  void linger();
  void reset_connection();

  // Constant after construction.
  HttpSessionContext& context_;  // not to be touched once closed
  std::string const peer_;

  std::optional<Socket> socket_;  // until closed, so that a Respond may outlive the loop
  Phase phase_ = Phase::idle;
  std::optional<Millis> deadline_;

  std::string in_;  // bytes [in_begin_, in_end_) are read but not parsed
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
  std::size_t lingered_bytes_ = 0;
  bool reading_ = false;
  bool pumping_ = false;
  std::optional<HttpRequestParser> parser_;

  // Of the request that is being answered.
  bool head_only_ = false;
  bool http_1_0_ = false;
  bool keep_alive_ = true;
  bool read_whole_ = true;

  std::string out_;  // bytes from out_at_ on are still to be written
  std::size_t out_at_ = 0;
  std::size_t chunk_bytes_ = 0;
  Millis chunk_pause_ = {};
  bool reset_after_ = false;
};

}  // namespace payonce
