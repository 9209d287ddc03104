# The test binary: every *_test.cpp beside the code, and everything under tests/ (tests and their support code).

find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)

# Compiled once for the two programs that run them: over the sound sources, and over those with faults woven in.
add_library(payonce_test_objects OBJECT ${payonce_test_sources} "${CMAKE_SOURCE_DIR}/mutants/catalogue.cpp")
target_include_directories(payonce_test_objects PRIVATE "${CMAKE_SOURCE_DIR}/tests" "${CMAKE_SOURCE_DIR}")
# Where the tree is, told to those who ask only, so that a compiler's cache serves all others in every tree.
foreach(source IN LISTS payonce_test_sources)
  file(STRINGS "${source}" asks REGEX "PAYONCE_(SOURCE_DIR|BINARY)" LIMIT_COUNT 1)
  if(asks)
    set_source_files_properties("${source}" PROPERTIES COMPILE_DEFINITIONS
      "PAYONCE_SOURCE_DIR=\"${CMAKE_SOURCE_DIR}\";PAYONCE_BINARY=\"${CMAKE_BINARY_DIR}/payonce\"")
  endif()
endforeach()
target_link_libraries(payonce_test_objects PUBLIC payonce_core rapidcheck GTest::gmock GTest::gtest)
add_dependencies(payonce_test_objects payonce_generated)
payonce_precompile(payonce_test_objects <boost/json.hpp> <gmock/gmock.h> <gtest/gtest.h>)
# What is tested is compiled as it is shipped; the tests themselves run once, so that optimising them costs more than it
# brings.
target_compile_options(payonce_test_objects PRIVATE -O0 -g0 -U_FORTIFY_SOURCE)

add_executable(payonce_tests $<TARGET_OBJECTS:payonce_test_objects>)
target_link_libraries(payonce_tests PRIVATE payonce_core rapidcheck GTest::gmock GTest::gtest GTest::gtest_main)
set_target_properties(payonce_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")

# Shards and not one process per test: a process costs more than most tests, much more under a sanitizer.
enable_testing()
set(payonce_shards 4)
math(EXPR payonce_last_shard "${payonce_shards} - 1")
foreach(shard RANGE ${payonce_last_shard})
  add_test(NAME payonce_tests_${shard} COMMAND payonce_tests --gtest_brief=1)
  set_tests_properties(payonce_tests_${shard} PROPERTIES
    ENVIRONMENT "GTEST_TOTAL_SHARDS=${payonce_shards};GTEST_SHARD_INDEX=${shard}")
endforeach()
