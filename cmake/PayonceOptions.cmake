# How everything is compiled: language, warnings, sanitizers, ccache. Targets get it by linking payonce_options.

set(PAYONCE_SANITIZE "" CACHE STRING "Build with clang under a sanitizer: address (with undefined and libFuzzer's counters) or thread; empty for none")
set_property(CACHE PAYONCE_SANITIZE PROPERTY STRINGS "" address thread)
option(PAYONCE_TESTS "Define the test binary" ON)
option(PAYONCE_COVERAGE "Count the branches that are taken (clang; for tools/coverage)" OFF)

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
# No NDEBUG in any build: an assertion means a bug of ours, and money is safer when the program stops.
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
# What is shipped also stops on a smashed stack or an overrun buffer.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2")

find_program(PAYONCE_CCACHE ccache)
if(PAYONCE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What ccache asks for before it keeps objects that were compiled with a precompiled header; and one clone may use what
  # was compiled in another.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros"
    "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;${PAYONCE_CCACHE}")
endif()

# payonce_precompile(target header...): reads the standard library and fmt once for the whole target, which is a third of
# the compiler's work. A source still includes all that it uses: the clang preset compiles without.
set(payonce_precompiled
  <algorithm> <array> <charconv> <chrono> <deque> <expected> <filesystem> <functional> <map> <memory> <optional> <set>
  <span> <stdexcept> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
function(payonce_precompile target)
  target_precompile_headers(${target} PRIVATE ${payonce_precompiled} ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What GCC 12 falsely finds in std::string's own code, it also tells when that code was precompiled.
    target_compile_options(${target} PRIVATE -fpch-preprocess
      -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  else()
    # Otherwise ccache takes each new copy of the same header for another.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

add_library(payonce_options INTERFACE)
target_compile_options(payonce_options INTERFACE -Wall -Wextra -Wpedantic -Wswitch -Werror)
target_compile_definitions(payonce_options INTERFACE _GLIBCXX_ASSERTIONS)

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Embedded texts may be longer than the 65,536 characters that every compiler must accept; both of ours do.
  target_compile_options(payonce_options INTERFACE -Wthread-safety -Wno-overlength-strings)
endif()

if(PAYONCE_COVERAGE)
  # Everything, since what a header holds is compiled in many places, and any of them may be the one that is linked.
  target_compile_options(payonce_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(payonce_options INTERFACE -fprofile-instr-generate)
endif()

if(PAYONCE_SANITIZE)
  if(PAYONCE_SANITIZE STREQUAL "address")
    set(payonce_sanitizers address,undefined,fuzzer-no-link)
  elseif(PAYONCE_SANITIZE STREQUAL "thread")
    set(payonce_sanitizers thread)
  else()
    message(FATAL_ERROR "PAYONCE_SANITIZE is \"${PAYONCE_SANITIZE}\"; it must be address, thread or empty")
  endif()
  target_compile_options(payonce_options INTERFACE
    -fsanitize=${payonce_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(payonce_options INTERFACE -fsanitize=${payonce_sanitizers})
endif()
