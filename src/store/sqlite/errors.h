// What a failing SQLite call means for the batch that made it.
#pragma once

#include <sqlite3.h>

#include <string_view>

#include "store/store.h"

namespace payonce::sqlite {

// For an extended result code of a statement inside a transaction.
StoreError::Kind kind_of(int code);

// For an extended result code of COMMIT. In doubt unless SQLite surely wrote no commit record.
StoreError::Kind kind_of_commit(int code);

// Throws a StoreError that tells what was being done and what SQLite said, never the data of a row.
[[noreturn]] void throw_error(sqlite3* db, int code, std::string_view doing);
[[noreturn]] void throw_error(sqlite3* db, int code, StoreError::Kind kind, std::string_view doing);

}  // namespace payonce::sqlite
