#include "net/http_session.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>
#include <cstring>
#include <exception>
#include <utility>

#include "base/log.h"

namespace payonce {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

constexpr std::size_t first_buffer_bytes = 2 * 1024;   // most requests; 20,000 idle connections cost 40 MB
constexpr std::size_t body_buffer_bytes = 16 * 1024;   // fewer reads for a long body
constexpr std::size_t kept_buffer_bytes = 64 * 1024;   // what an idle connection may keep from a large answer
constexpr std::size_t linger_bytes_max = 1024 * 1024;  // of a body nobody wants, so that its sender sees the answer
constexpr Millis linger_timeout{2'000};
constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";

std::string_view refusal_sentence(int status) {
  switch (status) {
    case 408: return "The request did not arrive in time; send it again.";
    case 413: return "The body is larger than this resource accepts.";
    case 414: return "The request target is longer than this server accepts.";
    case 417: return "Only Expect: 100-continue is supported.";
    case 431: return "The request headers are larger than this server accepts.";
    default: return "The request is not well-formed HTTP/1.1.";
  }
}

// What a handler holds as Respond.
class Ticket {
 public:
  explicit Ticket(std::shared_ptr<HttpSession> session) : session_(std::move(session)) {}
  Ticket(Ticket&&) noexcept = default;
  Ticket& operator=(Ticket&&) = delete;
  ~Ticket() {
    if (!session_) return;
    try {
      session_->answer_abandoned();
    } catch (std::exception const& error) {
      log_error("could not answer a request its handler abandoned: {}", error.what());
    }
  }

  void operator()(HttpResponse response) {
    auto const session = std::exchange(session_, nullptr);
    if (!session) return log_error("a request was answered twice; the second answer ({}) is lost", response.status);
    session->answer(std::move(response));
  }

 private:
  std::shared_ptr<HttpSession> session_;
};

}  // namespace

HttpSession::HttpSession(HttpSessionContext& context, Socket socket, std::string peer)
    : context_(context), peer_(std::move(peer)), socket_(std::move(socket)) {}

void HttpSession::start() {
  error_code ignored;
  socket_->non_blocking(true, ignored);
  socket_->set_option(asio::ip::tcp::no_delay(true), ignored);
  in_.resize(first_buffer_bytes);
  parser_.emplace(context_.limits);
  enter(Phase::idle);
  pump();
}

void HttpSession::refuse_connection() {
  error_code ignored;
  socket_->non_blocking(true, ignored);
  in_.resize(first_buffer_bytes);
  refuse(503, "This server has all the connections it can serve; try again later.");
}

void HttpSession::close_if_idle() {
  if (phase_ != Phase::idle) return;
  error_code ignored;
  // Bytes in the kernel are a request that began; closing over them would reset it.
  if (socket_->available(ignored) == 0) close();
}

void HttpSession::check_deadline() {
  if (!deadline_ || context_.now < *deadline_) return;
  switch (phase_) {
    case Phase::header:
    case Phase::body: return refuse(408, refusal_sentence(408));
    case Phase::writing: return reset_connection();
    case Phase::idle:
    case Phase::lingering: return close();
    case Phase::handling:
    case Phase::closed: return;
  }
}

void HttpSession::close() {
  if (phase_ == Phase::closed) return;
  auto const self = shared_from_this();  // the server's map may hold the only other reference
  phase_ = Phase::closed;
  deadline_.reset();
  error_code ignored;
  socket_->close(ignored);
  socket_.reset();
  context_.sessions.erase(this);
  if (context_.on_session_end) context_.on_session_end();
}

void HttpSession::enter(Phase phase) {
  phase_ = phase;
  switch (phase) {
    case Phase::idle:
    case Phase::writing: deadline_ = context_.now + context_.options.idle_timeout; return;
    case Phase::header: deadline_ = context_.now + context_.options.header_timeout; return;
    case Phase::body: deadline_ = context_.now + context_.options.body_timeout; return;
    case Phase::lingering: deadline_ = context_.now + linger_timeout; return;
    case Phase::handling:
    case Phase::closed: deadline_.reset(); return;
  }
}

void HttpSession::read() {
  if (std::exchange(reading_, true)) return;
  socket_->async_read_some(
      asio::buffer(in_.data() + in_end_, in_.size() - in_end_),
      [self = shared_from_this()](error_code const& error, std::size_t bytes) { self->on_read(error, bytes); });
}

void HttpSession::on_read(error_code const& error, std::size_t bytes) {
  reading_ = false;
  if (phase_ == Phase::closed) return;
  if (phase_ == Phase::lingering) {
    lingered_bytes_ += bytes;
    in_begin_ = in_end_ = 0;
    if (error || lingered_bytes_ > linger_bytes_max) return close();
    return read();
  }
  in_end_ += bytes;
  if (!error) return pump();
  // While an answer is under way (to a request that came too slowly), the peer may still be reading it.
  if (phase_ != Phase::writing) close();
}

// Parses and handles as far as the bytes at hand go. A loop rather than recursion: a peer may pipeline thousands
// of requests, each answered at once.
void HttpSession::pump() {
  if (pumping_) return;
  pumping_ = true;
  while (step()) {
  }
  pumping_ = false;
}

// True if there may be more to do without new bytes.
bool HttpSession::step() {
  if (phase_ != Phase::idle && phase_ != Phase::header && phase_ != Phase::body) return false;
  if (phase_ == Phase::idle) {
    // RFC 9112, 2.2: empty lines before a request are ignored.
    while (in_begin_ < in_end_ && (in_[in_begin_] == '\r' || in_[in_begin_] == '\n')) ++in_begin_;
    if (in_begin_ < in_end_) enter(Phase::header);
  }
  error_code error = http::error::need_more;
  if (in_begin_ < in_end_) {
    in_begin_ += parser_->put(asio::const_buffer(in_.data() + in_begin_, in_end_ - in_begin_), error);
    if (error && error != http::error::need_more) {
      int const status = parser_->status_of(error);
      refuse(status, refusal_sentence(status));
      return false;
    }
    if (parser_->is_done()) {
      dispatch();
      return true;
    }
    if (phase_ == Phase::header && parser_->is_header_done()) {
      enter(Phase::body);
      if (parser_->wants_continue() && in_begin_ == in_end_) send_continue();
      if (phase_ == Phase::closed) return false;
    }
  }
  if (!error) return true;
  if (!make_room()) {
    refuse(400, refusal_sentence(400));
    return false;
  }
  read();
  return false;
}

// Room behind in_end_ for the next read; false if what is there already is more than any valid request needs
// (an endless chunk extension, for example).
bool HttpSession::make_room() {
  if (in_begin_ == in_end_) {
    in_begin_ = in_end_ = 0;
    if (phase_ == Phase::body && in_.size() < body_buffer_bytes) in_.resize(body_buffer_bytes);
    return true;
  }
  if (in_end_ < in_.size()) return true;
  if (in_begin_ > 0) {
    std::memmove(in_.data(), in_.data() + in_begin_, in_end_ - in_begin_);
    in_end_ -= in_begin_;
    in_begin_ = 0;
    return true;
  }
  if (in_.size() > context_.options.header_bytes_max + first_buffer_bytes) return false;
  in_.resize(in_.size() * 2);
  return true;
}

void HttpSession::send_continue() {
  error_code error;
  // Everything before was written, so the kernel has room for these bytes.
  std::size_t const sent = socket_->write_some(asio::buffer(continue_line), error);
  if (error || sent != continue_line.size()) close();
}

void HttpSession::dispatch() {
  enter(Phase::handling);
  HttpRequest request = std::move(parser_->request());
  head_only_ = request.method == "HEAD";
  http_1_0_ = parser_->is_http_1_0();
  keep_alive_ = parser_->keep_alive();
  read_whole_ = true;
  request.peer = peer_;
  parser_.emplace(context_.limits);
  try {
    context_.handler(std::move(request), Ticket{shared_from_this()});
  } catch (std::exception const& error) {
    log_error("an HTTP handler ended with an exception: {}", error.what());
  }
}

void HttpSession::answer(HttpResponse response) {
  if (phase_ == Phase::handling) begin_answer(std::move(response));
}

void HttpSession::answer_abandoned() {
  if (phase_ != Phase::handling) return;
  log_error("a request was abandoned by its handler without an answer; the peer gets a 500");
  begin_answer(context_.options.render_error(500, "The server failed to answer this request."));
}

void HttpSession::refuse(int status, std::string_view reason) {
  keep_alive_ = false;
  read_whole_ = false;
  head_only_ = parser_ && parser_->request().method == "HEAD";
  begin_answer(context_.options.render_error(status, reason));
}

void HttpSession::begin_answer(HttpResponse response) {
  auto const connection = find_header(response.headers, "connection");
  if (context_.draining || (connection && same_header_name(*connection, "close"))) keep_alive_ = false;
  out_.clear();
  out_at_ = 0;
  append_response(out_, response, !keep_alive_, http_1_0_, head_only_);
  chunk_bytes_ = response.trickle_chunk_bytes;
  chunk_pause_ = response.trickle_ms_per_chunk;
  reset_after_ = response.drop;
  if (response.drop) out_.resize(std::min(out_.size(), response.drop_after_bytes));
  enter(Phase::writing);
  write_more();
}

// Writes straight to the socket; Asio is asked to wait only when the kernel's buffer is full.
void HttpSession::write_more() {
  while (phase_ == Phase::writing && out_at_ < out_.size()) {
    std::size_t const left = out_.size() - out_at_;
    std::size_t const piece = chunk_bytes_ > 0 ? std::min(left, chunk_bytes_) : left;
    error_code error;
    std::size_t const written = socket_->write_some(asio::buffer(out_.data() + out_at_, piece), error);
    if (error == asio::error::would_block) {
      socket_->async_wait(Socket::wait_write, [self = shared_from_this()](error_code const&) { self->write_more(); });
      return;
    }
    if (error) return close();
    out_at_ += written;
    enter(Phase::writing);  // a peer that takes something has its time anew
    if (chunk_bytes_ > 0 && out_at_ < out_.size()) {
      *deadline_ += chunk_pause_;
      context_.loop.after(chunk_pause_, [self = shared_from_this()] { self->write_more(); });
      return;
    }
  }
  if (phase_ == Phase::writing) finish_answer();
}

void HttpSession::finish_answer() {
  if (reset_after_) return reset_connection();
  if (!keep_alive_) {
    error_code ignored;
    bool const unread = !read_whole_ || in_begin_ < in_end_ || socket_->available(ignored) > 0;
    return unread ? linger() : close();
  }
  if (out_.capacity() > kept_buffer_bytes) out_ = {};
  enter(Phase::idle);
  pump();
}

// Closing with unread bytes resets the connection, and the reset may overtake our answer. So we say that we are done
// and read on for a moment.
void HttpSession::linger() {
  enter(Phase::lingering);
  error_code error;
  socket_->shutdown(Socket::shutdown_send, error);
  if (error) return close();
  if (!reading_) in_begin_ = in_end_ = 0;
  read();
}

void HttpSession::reset_connection() {
  error_code ignored;
  socket_->set_option(asio::socket_base::linger(true, 0), ignored);
  close();
}

}  // namespace payonce
