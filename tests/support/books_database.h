// A shop's whole database of either kind, named by its URL as on the command line: for the commands that move books.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>

#include "cli/archives.h"
#include "cli/key_store.h"
#include "support/postgres_server.h"

namespace payonce::test {

class BooksDatabase {
 public:
  explicit BooksDatabase(bool is_postgres) {
    if (is_postgres) {
      schema_ = PostgresServer::shared().create_schema();
      url_ = PostgresServer::shared().url(schema_);
    } else {
      std::string folder = (std::filesystem::temp_directory_path() / "payonce-books-XXXXXX").string();
      folder_ = ::mkdtemp(folder.data());
      url_ = "sqlite:" + folder_.string() + "/shop.db";
    }
  }
  ~BooksDatabase() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  BooksDatabase(BooksDatabase const&) = delete;
  BooksDatabase& operator=(BooksDatabase const&) = delete;

  std::string const& url() const { return url_; }
  // Migrated.
  std::unique_ptr<Store> open() const { return open_migrated_store(url_).value(); }
  std::unique_ptr<Archive> archive() const {
    open();
    auto opened = open_archive(url_);
    EXPECT_TRUE(opened) << opened.error().detail;
    return std::move(opened.value());
  }
  std::unique_ptr<Archivist> archivist() const {
    open();
    return open_archivist(url_).value();
  }
  // SQL past the port; false when the database refuses it.
  bool execute(std::string const& sql) const {
    if (!schema_.empty()) return PostgresServer::shared().execute(schema_, sql).has_value();
    sqlite3* db = nullptr;
    sqlite3_open((folder_ / "shop.db").c_str(), &db);
    int const code = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(db);
    return code == SQLITE_OK;
  }

 private:
  std::filesystem::path folder_;
  std::string schema_;
  std::string url_;
};

}  // namespace payonce::test
