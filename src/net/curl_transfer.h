// One HTTP call on one libcurl easy handle. Internal to net/ (includes curl).
// Not for: queues and threads (http_client.cpp).
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <memory>
#include <string>

#include "net/http_client.h"

namespace payonce {

struct CurlHandleDeleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using CurlHandle = std::unique_ptr<CURL, CurlHandleDeleter>;

struct CurlListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// "https://host:port" of a URL, to count calls per host; the URL itself if it can't be told.
std::string host_of(std::string_view url);
// The URL without user, password and query, which may hold secrets.
std::string shown_url(std::string_view url);

class CurlTransfer {
 public:
  // Prepares `handle` (fresh or reset) to make the call within `time_left`. Throws if the call can't be made at all.
  CurlTransfer(CurlHandle handle, HttpCall call, Millis time_left, std::string const& ca_file);
  CurlTransfer(CurlTransfer const&) = delete;
  CurlTransfer& operator=(CurlTransfer const&) = delete;

  CURL* handle() const { return handle_.get(); }

  // The answer, once curl says the transfer ended with `code`. Once.
  HttpAnswer finish(CURLcode code);
  void set_done(HttpClient::Done done) { done_ = std::move(done); }
  HttpClient::Done take_done() { return std::move(done_); }
  CurlHandle take_handle() { return std::move(handle_); }

 private:
  void set_request(Millis time_left, std::string const& ca_file);
  void set_method();
  void set_headers();
  Delivery delivery(CURLcode code) const;
  bool is_to_be_sent_again() const { return requests_begun_ > 1 && !call_.idempotent; }
  static int on_request(void* self, char* peer, char* own, int peer_port, int own_port);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);

  CurlHandle handle_;
  HttpCall call_;
  HttpClient::Done done_;
  std::unique_ptr<curl_slist, CurlListDeleter> header_list_;
  HttpAnswer answer_;
  bool too_large_ = false;
  int requests_begun_ = 0;  // more than one: libcurl found a kept connection dead, and began anew
  char error_text_[CURL_ERROR_SIZE] = {};
};

}  // namespace payonce
