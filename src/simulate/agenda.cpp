#include "simulate/agenda.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace payonce::simulate {

Loop::TimerId Agenda::at(Moment moment, Owner owner, Task task) {
  Key const key{std::max(moment, now_), ++last_};
  if (dead_.contains(owner)) return key.second;
  entries_.emplace(key, Entry{owner, std::move(task)});
  moments_.emplace(key.second, key.first);
  return key.second;
}

void Agenda::cancel(Loop::TimerId id) {
  auto const moment = moments_.find(id);
  if (moment == moments_.end()) return;
  // Out of the map before it is destroyed: what the task holds may cancel others.
  auto const node = entries_.extract({moment->second, id});
  moments_.erase(id);
}

void Agenda::drop(Owner owner) {
  dead_.insert(owner);
  std::vector<Entry> dropped;  // destroyed last: what tasks hold may cancel others
  for (auto at = entries_.begin(); at != entries_.end();) {
    if (at->second.owner != owner) {
      ++at;
      continue;
    }
    moments_.erase(at->first.second);
    dropped.push_back(std::move(at->second));
    at = entries_.erase(at);
  }
}

bool Agenda::step(Moment end) {
  if (entries_.empty() || entries_.begin()->first.first > end) {
    now_ = std::max(now_, end);
    return false;
  }
  auto node = entries_.extract(entries_.begin());
  auto const [moment, id] = node.key();
  now_ = moment;
  auto const frozen = frozen_until_.find(node.mapped().owner);
  if (frozen != frozen_until_.end() && moment < frozen->second) {
    // Under its old number, so that it can still be canceled.
    node.key().first = moments_[id] = frozen->second;
    entries_.insert(std::move(node));
    return true;
  }
  moments_.erase(id);
  node.mapped().task();
  return true;
}

}  // namespace payonce::simulate
