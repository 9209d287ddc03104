# The test binary: every *_test.cpp beside the code, and everything under tests/ (tests and their support code).

find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)

add_executable(payonce_tests ${payonce_test_sources})
target_include_directories(payonce_tests PRIVATE "${CMAKE_SOURCE_DIR}/tests")
target_compile_definitions(payonce_tests PRIVATE
  PAYONCE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" PAYONCE_BINARY="${CMAKE_BINARY_DIR}/payonce")
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
