#include "net/curl_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "base/trim.h"

namespace payonce {

namespace {

template <class Value>
void set(CURL* handle, CURLoption option, Value value) {
  CURLcode const code = curl_easy_setopt(handle, option, value);
  if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (code != CURLE_OK) throw std::runtime_error(curl_easy_strerror(code));
}

// What must not be sent again goes only over a connection that was in use just now: many servers close an idle one
// after five seconds, and a request on its way then would be in doubt for nothing.
constexpr long idle_seconds_max = 3;

// libcurl reads 0 as "no limit".
long timeout_ms(Millis time) { return static_cast<long>(std::max<Millis::rep>(time.count(), 1)); }

}  // namespace

std::string host_of(std::string_view url) {
  auto const scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return std::string(url);
  auto const end = url.find_first_of("/?#", scheme_end + 3);
  return std::string(url.substr(0, end));
}

std::string shown_url(std::string_view url) {
  std::string shown(url.substr(0, url.find_first_of("?#")));
  auto const scheme_end = shown.find("://");
  auto const host = scheme_end == std::string::npos ? 0 : scheme_end + 3;
  auto const path = std::min(shown.find('/', host), shown.size());
  auto const at = shown.rfind('@', path);
  if (at != std::string::npos && at >= host && at < path) shown.erase(host, at + 1 - host);
  return shown.substr(0, 300);
}

CurlTransfer::CurlTransfer(CurlHandle handle, HttpCall call, Millis time_left, std::string const& ca_file)
    : handle_(std::move(handle)), call_(std::move(call)) {
  set_request(time_left, ca_file);
}

void CurlTransfer::set_request(Millis time_left, std::string const& ca_file) {
  CURL* const easy = handle_.get();
  set(easy, CURLOPT_ERRORBUFFER, error_text_);
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  set(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  if (!ca_file.empty()) set(easy, CURLOPT_CAINFO, ca_file.c_str());
  // HTTP/2 has its own silent re-send, for streams the server refuses.
  set(easy, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, timeout_ms(std::min(call_.connect_timeout, time_left)));
  set(easy, CURLOPT_TIMEOUT_MS, timeout_ms(time_left));
  // On a kept connection that turns out dead libcurl sends the request again without a word; it asks here first.
  set(easy, CURLOPT_PREREQFUNCTION, &CurlTransfer::on_request);
  set(easy, CURLOPT_PREREQDATA, this);
  if (!call_.idempotent) set(easy, CURLOPT_MAXAGE_CONN, idle_seconds_max);
  set(easy, CURLOPT_WRITEFUNCTION, &CurlTransfer::on_body);
  set(easy, CURLOPT_WRITEDATA, this);
  set(easy, CURLOPT_HEADERFUNCTION, &CurlTransfer::on_header);
  set(easy, CURLOPT_HEADERDATA, this);
  set(easy, CURLOPT_URL, call_.url.c_str());
  set_method();
  set_headers();
}

void CurlTransfer::set_method() {
  CURL* const easy = handle_.get();
  bool const sends_body = !call_.body.empty() || call_.method == "POST" || call_.method == "PUT";
  if (sends_body) {
    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call_.body.size()));
    set(easy, CURLOPT_POSTFIELDS, call_.body.c_str());
  }
  if (call_.method == "HEAD") set(easy, CURLOPT_NOBODY, 1L);
  set(easy, CURLOPT_CUSTOMREQUEST, call_.method.c_str());
}

void CurlTransfer::set_headers() {
  auto const add = [&](std::string const& line) {
    curl_slist* const longer = curl_slist_append(header_list_.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(header_list_.release());
    header_list_.reset(longer);
  };
  for (auto const& [name, value] : call_.headers) {
    // A line break would start a header, or a request, of its own.
    if (name.empty() || (name + value).find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
      throw std::runtime_error("a header has an empty name or holds a line break");
    add(value.empty() ? name + ";" : name + ": " + value);
  }
  // What libcurl would add by itself.
  if (!find_header(call_.headers, "expect")) add("Expect:");
  if (!find_header(call_.headers, "content-type")) add("Content-Type:");
  set(handle_.get(), CURLOPT_HTTPHEADER, header_list_.get());
}

// Counts on two marks of libcurl, so that a call is only called never sent when both agree: no request was begun, and
// the connection (with TLS, and through a proxy) was never ready for one. Bytes to a proxy that it should connect us
// are no request.
Delivery CurlTransfer::delivery(CURLcode code) const {
  if (code == CURLE_OK) return Delivery::answered;
  curl_off_t ready_after_us = 0;
  bool const known = curl_easy_getinfo(handle_.get(), CURLINFO_PRETRANSFER_TIME_T, &ready_after_us) == CURLE_OK;
  return known && requests_begun_ == 0 && ready_after_us == 0 ? Delivery::never_sent : Delivery::in_doubt;
}

HttpAnswer CurlTransfer::finish(CURLcode code) {
  answer_.delivery = delivery(code);
  long status = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
  answer_.status = static_cast<int>(status);
  if (code == CURLE_OK) return std::move(answer_);
  if (too_large_)
    answer_.error = fmt::format("{} {}: the answer is larger than {} bytes", call_.method, shown_url(call_.url),
                                call_.answer_bytes_max);
  else if (is_to_be_sent_again())
    answer_.error = fmt::format("{} {}: the kept connection was closed under it, and it must not be sent again",
                                call_.method, shown_url(call_.url));
  else
    answer_.error = fmt::format("{} {}: {}", call_.method, shown_url(call_.url),
                                error_text_[0] != 0 ? error_text_ : curl_easy_strerror(code));
  return std::move(answer_);
}

int CurlTransfer::on_request(void* self_pointer, char*, char*, int, int) {
  auto& self = *static_cast<CurlTransfer*>(self_pointer);
  ++self.requests_begun_;
  return self.is_to_be_sent_again() ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

std::size_t CurlTransfer::on_body(char* data, std::size_t size, std::size_t count, void* self_pointer) {
  auto& self = *static_cast<CurlTransfer*>(self_pointer);
  std::size_t const bytes = size * count;
  self.too_large_ = self.answer_.body.size() + bytes > self.call_.answer_bytes_max;
  if (self.too_large_) return 0;
  self.answer_.body.append(data, bytes);
  return bytes;
}

std::size_t CurlTransfer::on_header(char* data, std::size_t size, std::size_t count, void* self_pointer) {
  auto& self = *static_cast<CurlTransfer*>(self_pointer);
  std::string_view const received(data, size * count);
  std::string_view const line = received.substr(0, received.find_last_not_of("\r\n") + 1);
  if (line.starts_with("HTTP/")) self.answer_.headers.clear();  // what came before was a 1xx or a proxy's answer
  auto const colon = line.find(':');
  if (colon != std::string_view::npos && !line.starts_with("HTTP/"))
    self.answer_.headers.emplace_back(std::string(trim(line.substr(0, colon))),
                                      std::string(trim(line.substr(colon + 1))));
  return received.size();
}

}  // namespace payonce
