// Opening a database that commands only read: unlike the service, they must not make a new one out of a typing error.
#pragma once

#include <memory>
#include <string>

#include "cli/settings.h"
#include "store/store.h"
#include "verify/books.h"

namespace payonce {

// not_found if the database does not exist.
Result<std::unique_ptr<Store>> open_existing_store(std::string const& url);

// Of which orders of a database history was moved to an archive, and that archive, if one is named.
struct HistoryAtHand {
  std::unique_ptr<Archivist> live;
  std::unique_ptr<Store> store;
  std::unique_ptr<Reader> archive;

  History history() const { return {live.get(), archive.get()}; }
};
// not_found if there is no such archive. Throws StoreError. `archive` may be empty.
Result<HistoryAtHand> open_history(std::string const& database, std::string const& archive);

// The settings of a file (empty: the environment alone), with the database's URL replaced unless `database` is empty.
Result<Settings> settings_for_reading(std::string const& config, std::string const& database);

}  // namespace payonce
