# The libraries payonce stands on, all from Debian; the packages are listed in tools/install-packages.

find_package(Threads REQUIRED)
find_package(Boost 1.81 CONFIG REQUIRED COMPONENTS headers json url)
find_package(SQLite3 3.40 REQUIRED)
find_package(CURL 7.88 REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(ZLIB 1.2 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)

# By name: the package's own CMake file asks for an embedded web server and compression, and we use only the core.
find_library(PROMETHEUS_CPP_CORE prometheus-cpp-core REQUIRED)
find_path(PROMETHEUS_CPP_INCLUDE prometheus/registry.h REQUIRED)

# CMake's own module asks for the server's headers, which a client does not need.
find_library(LIBPQ pq REQUIRED)
find_path(LIBPQ_INCLUDE libpq-fe.h PATH_SUFFIXES postgresql REQUIRED)

add_library(payonce_libraries INTERFACE)
target_compile_definitions(payonce_libraries INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
  SPDLOG_FMT_EXTERNAL)
target_include_directories(payonce_libraries SYSTEM INTERFACE "${PROMETHEUS_CPP_INCLUDE}" "${LIBPQ_INCLUDE}")
target_link_libraries(payonce_libraries INTERFACE
  Boost::headers Boost::json Boost::url SQLite::SQLite3 CURL::libcurl OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB
  fmt::fmt spdlog::spdlog CLI11::CLI11 tomlplusplus::tomlplusplus "${PROMETHEUS_CPP_CORE}" "${LIBPQ}" Threads::Threads)
