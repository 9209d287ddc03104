#include "archive/archive_orders.h"

#include "archive/at_rest.h"

namespace payonce {

namespace {

// Some sixty orders: the transaction that takes their history away lasts some milliseconds.
constexpr std::size_t events_per_batch = 256;

}  // namespace

ArchiveCounts archive_orders(Archivist& live, Archivist& archive, ArchiveOptions const& options) {
  ArchiveCounts counts;
  Archivist::Place place;
  for (auto keys = live.aged_orders(place, options.before, events_per_batch); !keys.empty();
       keys = live.aged_orders(place, options.before, events_per_batch)) {
    auto orders = live.read(keys);
    counts.too_young += std::erase_if(orders, [&](ArchivedOrder const& it) { return !is_at_rest(it, options.before); });
    if (orders.empty()) continue;
    archive.keep(orders);
    std::size_t const moved = live.set_aside(orders, options.now);
    counts.orders += moved;
    counts.changed += orders.size() - moved;
    for (ArchivedOrder const& it : orders) counts.events += it.books.events.size();
    options.pause();
  }
  return counts;
}

}  // namespace payonce
