// Every deliberate fault (mutants/faults) still finds the place that it breaks, so that a change of the rules tells at
// once which fault has to follow it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "mutants/catalogue.h"
#include "repository/source_file.h"

namespace payonce::lint {
namespace {

using mutants::Fault;
using mutants::read_catalogue;
using mutants::weave;
using testing::HasSubstr;

std::string const& text_of(std::string const& path) {
  static std::string const nothing;
  for (SourceFile const& file : repository())
    if (file.path == path) return file.text;
  return nothing;
}

std::vector<Fault> all_faults() {
  std::vector<Fault> all;
  for (SourceFile const& file : repository()) {
    if (file.folder() != "mutants/faults") continue;
    auto faults = read_catalogue(file.text);
    EXPECT_TRUE(faults) << file.path << ": " << faults.error().detail;
    if (faults) std::ranges::move(*faults, std::back_inserter(all));
  }
  return all;
}

TEST(RepositoryFaults, EachFindsItsPlace) {
  std::vector<Fault> const all = all_faults();
  EXPECT_GE(all.size(), 10U);
  std::set<std::string> files;
  std::set<std::string> names;
  for (Fault const& fault : all) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name << " is there twice";
    for (auto const& edit : fault.edits) files.insert(edit.file);
  }
  for (std::string const& file : files) {
    auto const woven = weave(file, text_of(file), all);
    EXPECT_TRUE(woven) << woven.error().detail;
  }
}

TEST(RepositoryFaults, AFaultIsWovenInBehindItsName) {
  auto const faults =
      read_catalogue("# why\n\nswap: Goes wrong.\nfound by: check\nin: a.cpp\n- x\n+ mutated() ? y : x\n");
  ASSERT_TRUE(faults) << faults.error().detail;
  auto const woven = weave("a.cpp", "f(x);\n", *faults);
  ASSERT_TRUE(woven);
  EXPECT_THAT(*woven, HasSubstr("f(::payonce::mutated(\"swap\") ? y : x);\n"));
}

TEST(RepositoryFaults, APlaceThatIsGoneOrDoubtfulIsRefused) {
  auto const faults = read_catalogue("swap: Goes wrong.\nfound by: check\nin: a.cpp\n- x\n+ mutated() ? y : x\n");
  ASSERT_TRUE(faults);
  EXPECT_FALSE(weave("a.cpp", "f(z);\n", *faults));
  EXPECT_FALSE(weave("a.cpp", "f(x, x);\n", *faults));
  EXPECT_TRUE(weave("b.cpp", "f(z);\n", *faults));
}

TEST(RepositoryFaults, AnUnfinishedEntryIsRefused) {
  EXPECT_FALSE(read_catalogue("swap: Goes wrong.\nin: a.cpp\n- x\n+ mutated()\n"));
  EXPECT_FALSE(read_catalogue("swap: Goes wrong.\nfound by: check\nin: a.cpp\n- x\n+ y\n"));
  EXPECT_FALSE(read_catalogue("swap: Goes wrong.\nfound by: check\nx\n"));
  EXPECT_FALSE(read_catalogue("swap\n"));
}

}  // namespace
}  // namespace payonce::lint
