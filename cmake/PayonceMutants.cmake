# payonce_mutants and payonce_mutant_tests: the same program and unit tests with the deliberate faults of mutants/faults
# woven in (mutants/README.md). Nothing else is compiled anew, and nothing of it is in payonce.

file(GLOB payonce_catalogues CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/mutants/faults/*.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${payonce_catalogues})

set(payonce_faulty_sources "")
foreach(catalogue IN LISTS payonce_catalogues)
  file(STRINGS "${catalogue}" places REGEX "^in: ")
  list(TRANSFORM places REPLACE "^in: " "")
  list(APPEND payonce_faulty_sources ${places})
endforeach()
list(REMOVE_DUPLICATES payonce_faulty_sources)

set(payonce_woven_folder "${CMAKE_BINARY_DIR}/woven")
list(TRANSFORM payonce_faulty_sources PREPEND "${payonce_woven_folder}/" OUTPUT_VARIABLE payonce_woven_sources)
list(TRANSFORM payonce_faulty_sources PREPEND "${CMAKE_SOURCE_DIR}/")

add_executable(payonce_weave EXCLUDE_FROM_ALL mutants/weave.cpp mutants/catalogue.cpp)
target_include_directories(payonce_weave PRIVATE "${CMAKE_SOURCE_DIR}" "${CMAKE_SOURCE_DIR}/src")
target_link_libraries(payonce_weave PRIVATE payonce_options fmt::fmt)

add_custom_command(
  OUTPUT "${payonce_woven_folder}/faults.gen.h" ${payonce_woven_sources}
  COMMAND payonce_weave "${CMAKE_SOURCE_DIR}" "${payonce_woven_folder}" ${payonce_catalogues}
  DEPENDS payonce_weave ${payonce_catalogues} ${payonce_faulty_sources}
  COMMENT "Weaving deliberate faults in"
  VERBATIM)

# Listed before the library, so that the linker takes these and leaves the sound ones there.
add_library(payonce_woven OBJECT EXCLUDE_FROM_ALL
  ${payonce_woven_sources} "${payonce_woven_folder}/faults.gen.h" mutants/mutated.cpp)
target_include_directories(payonce_woven PUBLIC "${CMAKE_SOURCE_DIR}" "${payonce_woven_folder}")
target_link_libraries(payonce_woven PUBLIC payonce_core)
add_dependencies(payonce_woven payonce_generated)

add_executable(payonce_mutants EXCLUDE_FROM_ALL mutants/main.cpp mutants/hunt.cpp)
target_link_libraries(payonce_mutants PRIVATE payonce_woven)
set_target_properties(payonce_mutants PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")

add_executable(payonce_mutant_tests EXCLUDE_FROM_ALL $<TARGET_OBJECTS:payonce_test_objects>)
target_link_libraries(payonce_mutant_tests PRIVATE payonce_woven rapidcheck GTest::gmock GTest::gtest GTest::gtest_main)
set_target_properties(payonce_mutant_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
