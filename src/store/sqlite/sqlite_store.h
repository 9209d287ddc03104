// The store on an embedded SQLite file: one writer, any number of readers, several processes if need be.
#pragma once

#include <memory>
#include <string>

#include "store/store.h"

namespace payonce {

// Who copies the write-ahead log into the file: a thread in the background, or (in a simulation) the writer.
enum class Checkpoints { by_thread, by_writer };

// Opens the file, or creates it (mode 0600) in a folder that must exist. The schema is not touched: call migrate()
// next. The store must outlive its writers and readers. An Error (unavailable) tells what is wrong with the path or the
// file.
Result<std::unique_ptr<Store>> open_sqlite(std::string const& path, Checkpoints who = Checkpoints::by_thread);

}  // namespace payonce
