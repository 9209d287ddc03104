// A stretch of network between two processes: passes each request on, once or more often, to wherever the service is
// now.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "drill/backstage.h"

namespace payonce::drill {

class Forwarder {
 public:
  // `copies`: how often each request reaches the other side, all at once. The sender gets the answer that came last.
  Forwarder(Backstage& backstage, int copies) : backstage_(backstage), copies_(copies) {}

  // To be listened with. Without an answer of the other side the sender's connection is cut.
  HttpHandler handler();
  // Where requests go from now on. Any thread, like everything below.
  void point_at(std::string url);
  // What the other side has answered so far.
  std::vector<HttpAnswer> answers() const;
  int answered_with_2xx() const;

 private:
  struct Passing;
  HttpCall copy_of(HttpRequest const& request) const;
  void pass(HttpRequest const& request, Respond respond);
  void keep(HttpAnswer const& answer);

  Backstage& backstage_;
  int const copies_;
  mutable std::mutex mutex_;
  std::string url_;
  std::vector<HttpAnswer> answers_;
};

}  // namespace payonce::drill
