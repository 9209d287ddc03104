// Moves the history of settled orders from a database with services on it to an archive, in small transactions.
// Not for: what may leave (at_rest.h) and what leaves (store/archivist.h).
#pragma once

#include <cstddef>
#include <functional>

#include "store/archivist.h"

namespace payonce {

struct ArchiveOptions {
  Time before;  // orders that changed at or after it stay whole
  Time now;
  // Called after each transaction on the live database, so that those who wait for it get it.
  std::function<void()> pause = [] {};
};

struct ArchiveCounts {
  std::size_t orders = 0;
  std::size_t events = 0;
  std::size_t too_young = 0;  // looked at, and still waited for or too young
  std::size_t changed = 0;    // something happened to them meanwhile; the next run takes them
};

// Each order is durable in the archive before anything of it is taken away here. A run that is cut off at any point has
// lost nothing, and the next one goes on. Throws StoreError.
ArchiveCounts archive_orders(Archivist& live, Archivist& archive, ArchiveOptions const& options);

}  // namespace payonce
