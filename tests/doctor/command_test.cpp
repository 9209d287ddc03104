// `payonce doctor` as scripts use it: its exit status and its JSON.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <iostream>
#include <sstream>

#include "support/postgres_server.h"
#include "support/run_command.h"

namespace payonce::test {

namespace {

Finished doctor(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "doctor");
  return run_command(add_doctor, std::move(arguments));
}

}  // namespace

TEST(DoctorCommand, AProblemIsExitStatus2AndIsToldAsJson) {
  std::string const url = PostgresServer::shared().url(PostgresServer::shared().create_schema());
  Finished const done = doctor({"--database", url, "--json"});
  EXPECT_EQ(done.status, 2);
  auto const told = boost::json::parse(done.output).as_object();
  EXPECT_FALSE(told.at("healthy").as_bool());
  auto const& checks = told.at("checks").as_array();
  auto const fsync = std::ranges::find_if(checks, [](auto const& it) { return it.at("check") == "fsync"; });
  ASSERT_NE(fsync, checks.end());
  EXPECT_EQ(fsync->at("verdict"), "problem");
  EXPECT_FALSE(fsync->at("advice").as_string().empty());
}

TEST(DoctorCommand, WithoutProblemsItIs0) {
  std::string const url = PostgresServer::shared().url(PostgresServer::shared().create_schema());
  Finished const done = doctor({"--database", url, "--conformance"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_NE(done.output.find("feed has no gap"), std::string::npos);
}

TEST(DoctorCommand, WhatItCanNotAnswerIs1) {
  EXPECT_EQ(doctor({"--database", "mysql://shop:hunter2@host/db"}).status, 1);
  EXPECT_EQ(doctor({"--database", "sqlite:shop.db", "--conformance"}).status, 1);
}

}  // namespace payonce::test
