#include "sandbox/zip.h"

#include <iconv.h>
#include <zlib.h>

#include <cstdint>
#include <stdexcept>

namespace payonce::sandbox {

namespace {

void append(std::string& out, std::uint32_t number, int size) {
  for (int i = 0; i < size; ++i, number >>= 8) out.push_back(static_cast<char>(number));
}

std::string deflated(std::string const& text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib can't begin");
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

std::string zip_of(std::vector<std::pair<std::string, std::string>> const& files) {
  constexpr std::uint32_t deflate_method = 8;
  std::string archive;
  std::string directory;
  for (auto const& [name, content] : files) {
    std::string const packed = deflated(content);
    std::string facts;  // the same in both places: version, flags, method, time and date, checksum, sizes
    append(facts, 20, 2);
    append(facts, 0, 2);
    append(facts, deflate_method, 2);
    append(facts, 0, 4);
    append(facts,
           static_cast<std::uint32_t>(
               crc32(0, reinterpret_cast<Bytef const*>(content.data()), static_cast<uInt>(content.size()))),
           4);
    append(facts, static_cast<std::uint32_t>(packed.size()), 4);
    append(facts, static_cast<std::uint32_t>(content.size()), 4);
    append(facts, static_cast<std::uint32_t>(name.size()), 2);
    append(facts, 0, 2);
    directory += "PK\x01\x02";
    append(directory, 20, 2);
    directory += facts;
    append(directory, 0, 10);  // comment, disk, attributes
    append(directory, static_cast<std::uint32_t>(archive.size()), 4);
    directory += name;
    archive += "PK\x03\x04" + facts + name + packed;
  }
  auto const begin = static_cast<std::uint32_t>(archive.size());
  archive += directory + "PK\x05\x06";
  append(archive, 0, 4);
  append(archive, static_cast<std::uint32_t>(files.size()), 2);
  append(archive, static_cast<std::uint32_t>(files.size()), 2);
  append(archive, static_cast<std::uint32_t>(directory.size()), 4);
  append(archive, begin, 4);
  append(archive, 0, 2);
  return archive;
}

std::string to_gbk(std::string_view text) {
  iconv_t const converter = iconv_open("GBK", "UTF-8");
  if (converter == reinterpret_cast<iconv_t>(-1)) throw std::runtime_error("no GBK on this machine");
  std::string converted(text.size(), '\0');
  char* in = const_cast<char*>(text.data());
  std::size_t in_left = text.size();
  char* out = converted.data();
  std::size_t out_left = converted.size();
  std::size_t const result = iconv(converter, &in, &in_left, &out, &out_left);
  iconv_close(converter);
  if (result == static_cast<std::size_t>(-1)) throw std::runtime_error("a text that GBK can't hold");
  converted.resize(converted.size() - out_left);
  return converted;
}

}  // namespace payonce::sandbox
