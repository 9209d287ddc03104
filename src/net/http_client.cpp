#include "net/http_client.h"

#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "net/curl_transfer.h"

namespace payonce {

namespace {

using std::chrono::nanoseconds;

constexpr int poll_ms_max = 1'000;
constexpr nanoseconds queue_check_every = std::chrono::milliseconds{50};
constexpr std::size_t handles_kept_max = 512;

// Once per process, and never undone: other parts may use libcurl too.
void init_curl() {
  static CURLcode const code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) throw std::runtime_error(fmt::format("libcurl does not start: {}", curl_easy_strerror(code)));
}

struct MultiDeleter {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};

}  // namespace

// Everything but submit() runs on the engine's own thread.
class CurlHttpClient::Engine {
 public:
  Engine(Loop& loop, Options options, std::shared_ptr<bool> alive)
      : loop_(loop), options_(std::move(options)), alive_(std::move(alive)) {
    init_curl();
    multi_.reset(curl_multi_init());
    if (!multi_) throw std::bad_alloc();
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, 1'024L);
    thread_ = std::thread([this] { run(); });
  }

  ~Engine() {
    {
      std::scoped_lock lock(mutex_);
      stopping_ = true;
      curl_multi_wakeup(multi_.get());
    }
    thread_.join();
  }

  // Loop thread.
  void submit(HttpCall call, Done done) {
    if (waiting_ >= options_.queue_max)
      return deliver(std::move(done), not_sent(call, fmt::format("{} calls are waiting already", options_.queue_max)));
    ++waiting_;
    {
      std::scoped_lock lock(mutex_);
      submitted_.push_back({std::move(call), std::move(done), clock_.monotonic()});
      if (submitted_.size() > 1) return;  // the first one has woken the thread
    }
    curl_multi_wakeup(multi_.get());
  }

 private:
  struct Waiting {
    HttpCall call;
    Done done;
    nanoseconds since;
  };
  struct Host {
    std::size_t in_flight = 0;
    std::deque<Waiting> queue;
  };
  struct Running {
    std::unique_ptr<CurlTransfer> transfer;
    std::string host;
  };

  void run() {
    // Signals belong to the loop; and TLS writing to a peer that has gone must give an error, not SIGPIPE.
    sigset_t every_signal;
    sigfillset(&every_signal);
    pthread_sigmask(SIG_BLOCK, &every_signal, nullptr);
    int running = 0;
    while (!stopping_) {
      take_submitted();
      curl_multi_perform(multi_.get(), &running);
      std::size_t const finished = finish_done();
      expire_queued();
      if (finished > 0) continue;  // calls that waited for them were started
      curl_multi_poll(multi_.get(), nullptr, 0, poll_ms(), nullptr);
    }
    close_curl();
  }

  // On this thread, because closing TLS writes too. The continuations of cut calls stay for the owner's thread.
  void close_curl() {
    std::scoped_lock lock(mutex_);  // the destructor may still be waking us
    for (auto& [handle, running] : transfers_) {
      curl_multi_remove_handle(multi_.get(), handle);
      running.transfer->take_handle().reset();
    }
    handles_.clear();
    multi_.reset();
  }

  int poll_ms() const {
    return queued_ > 0 ? static_cast<int>(std::chrono::duration_cast<Millis>(queue_check_every).count()) : poll_ms_max;
  }

  void take_submitted() {
    {
      std::scoped_lock lock(mutex_);
      taken_.swap(submitted_);
    }
    for (Waiting& waiting : taken_) {
      std::string name = host_of(waiting.call.url);
      Host& host = hosts_[name];
      host.queue.push_back(std::move(waiting));
      ++queued_;
      start_queued(name, host);
      forget_unused(name);
    }
    taken_.clear();
  }

  void start_queued(std::string const& name, Host& host) {
    while (!host.queue.empty() && host.in_flight < options_.calls_per_host_max) {
      Waiting next = std::move(host.queue.front());
      host.queue.pop_front();
      forget_queued();
      start(name, host, std::move(next));
    }
  }

  void forget_unused(std::string const& name) {
    auto const host = hosts_.find(name);
    if (host->second.in_flight == 0 && host->second.queue.empty()) hosts_.erase(host);
  }

  void forget_queued() {
    --queued_;
    --waiting_;
  }

  void start(std::string const& name, Host& host, Waiting waiting) {
    auto const waited = std::chrono::duration_cast<Millis>(clock_.monotonic() - waiting.since);
    Millis const left = waiting.call.total_timeout - waited;
    if (left <= Millis{0}) return refuse(std::move(waiting), "it waited for other calls until its time was up");
    // What is needed to refuse the call stays here if it can't be set up.
    HttpCall const shown{.method = waiting.call.method, .url = waiting.call.url};
    std::unique_ptr<CurlTransfer> transfer;
    try {
      transfer = std::make_unique<CurlTransfer>(take_handle(), std::move(waiting.call), left, options_.ca_file);
    } catch (std::exception const& error) {
      return deliver(std::move(waiting.done), not_sent(shown, error.what()));
    }
    transfer->set_done(std::move(waiting.done));
    CURL* const handle = transfer->handle();
    if (CURLMcode const code = curl_multi_add_handle(multi_.get(), handle); code != CURLM_OK)
      return deliver(transfer->take_done(), not_sent(shown, curl_multi_strerror(code)));
    ++host.in_flight;
    transfers_.emplace(handle, Running{std::move(transfer), name});
  }

  // The number of calls that ended.
  std::size_t finish_done() {
    std::size_t finished = 0;
    int left = 0;
    while (CURLMsg const* const message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL* const handle = message->easy_handle;
      CURLcode const code = message->data.result;
      curl_multi_remove_handle(multi_.get(), handle);  // `message` is gone from here on
      auto const node = transfers_.extract(handle);
      Running const& running = node.mapped();
      deliver(running.transfer->take_done(), running.transfer->finish(code));
      keep_handle(running.transfer->take_handle());
      auto const host = hosts_.find(running.host);
      --host->second.in_flight;
      start_queued(running.host, host->second);
      forget_unused(running.host);
      ++finished;
    }
    return finished;
  }

  // A call in the queue must not wait longer than its caller does.
  void expire_queued() {
    nanoseconds const now = clock_.monotonic();
    if (queued_ == 0 || now - queue_checked_ < queue_check_every) return;
    queue_checked_ = now;
    for (auto& [_, host] : hosts_) {
      std::erase_if(host.queue, [&](Waiting& waiting) {
        if (now - waiting.since < waiting.call.total_timeout) return false;
        forget_queued();
        refuse(std::move(waiting), "it waited for other calls until its time was up");
        return true;
      });
    }
  }

  CurlHandle take_handle() {
    if (handles_.empty()) {
      CurlHandle handle(curl_easy_init());
      if (!handle) throw std::bad_alloc();
      return handle;
    }
    CurlHandle handle = std::move(handles_.back());
    handles_.pop_back();
    return handle;
  }

  void keep_handle(CurlHandle handle) {
    if (handles_.size() >= handles_kept_max) return;
    curl_easy_reset(handle.get());
    handles_.push_back(std::move(handle));
  }

  static HttpAnswer not_sent(HttpCall const& call, std::string_view why) {
    return {.delivery = Delivery::never_sent,
            .error = fmt::format("{} {} was not sent: {}", call.method, shown_url(call.url), why)};
  }

  void refuse(Waiting waiting, std::string_view why) { deliver(std::move(waiting.done), not_sent(waiting.call, why)); }

  // Any thread.
  void deliver(Done done, HttpAnswer answer) {
    loop_.post([alive = alive_, done = std::move(done), answer = std::move(answer)]() mutable {
      if (*alive) done(std::move(answer));
    });
  }

  // Constant after construction.
  Loop& loop_;
  Options const options_;
  std::shared_ptr<bool> const alive_;  // its value belongs to the loop thread
  SystemClock const clock_;

  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> waiting_ = 0;  // submitted, and not yet started
  std::mutex mutex_;
  std::vector<Waiting> submitted_;  // guarded by mutex_

  // The engine thread's, until it is joined.
  std::unique_ptr<CURLM, MultiDeleter> multi_;
  std::vector<Waiting> taken_;
  std::unordered_map<std::string, Host> hosts_;
  std::size_t queued_ = 0;
  nanoseconds queue_checked_{};
  std::unordered_map<CURL*, Running> transfers_;
  std::vector<CurlHandle> handles_;
  std::thread thread_;
};

CurlHttpClient::CurlHttpClient(Loop& loop, Options options)
    : alive_(std::make_shared<bool>(true)), engine_(std::make_unique<Engine>(loop, std::move(options), alive_)) {}

CurlHttpClient::~CurlHttpClient() { *alive_ = false; }

void CurlHttpClient::send(HttpCall call, Done done) { engine_->submit(std::move(call), std::move(done)); }

}  // namespace payonce
