#include "provider/bill_text.h"

#include <iconv.h>
#include <zlib.h>

#include <cerrno>
#include <optional>

#include "base/utf8.h"
#include "provider/provider.h"

namespace payonce {

namespace {

std::unexpected<Error> torn(std::string why) {
  return fail(ErrorCode::invalid_request, "the statement's file " + std::move(why) + "; fetch it again");
}

// window_bits as zlib has them: what kind of packing it is.
Result<std::string> unpacked(std::string_view packed, int window_bits) {
  z_stream stream{};
  if (inflateInit2(&stream, window_bits) != Z_OK) return fail(ErrorCode::internal, "zlib can't begin");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  int result = Z_OK;
  while (result == Z_OK && text.size() <= statement_bytes_max) {
    std::size_t constexpr step = 1 << 16;
    std::size_t const before = text.size();
    text.resize(before + step);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
    stream.avail_out = static_cast<uInt>(step);
    result = inflate(&stream, Z_NO_FLUSH);
    text.resize(text.size() - stream.avail_out);
  }
  bool const is_whole = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (text.size() > statement_bytes_max) return torn("is too large");
  if (!is_whole) return torn("is torn");
  return text;
}

std::optional<std::string> utf8_of_gb18030(std::string_view text) {
  iconv_t const converter = iconv_open("UTF-8", "GB18030");
  if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  std::string converted(text.size() * 2 + 4, '\0');  // at most four bytes become four, two become three
  char* in = const_cast<char*>(text.data());
  std::size_t in_left = text.size();
  char* out = converted.data();
  std::size_t out_left = converted.size();
  std::size_t const result = iconv(converter, &in, &in_left, &out, &out_left);
  iconv_close(converter);
  if (result == static_cast<std::size_t>(-1)) return std::nullopt;
  converted.resize(converted.size() - out_left);
  return converted;
}

// Little-endian numbers of an archive; zero behind its end.
std::uint32_t number_at(std::string_view bytes, std::size_t at, int size) {
  std::uint32_t number = 0;
  for (int i = size; i-- > 0;)
    number = number << 8 | (at + static_cast<std::size_t>(i) < bytes.size()
                                ? static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)])
                                : 0);
  return number;
}

// An entry of an archive's central directory (APPNOTE 6.3, section 4.3.12).
struct Member {
  std::string name;
  std::uint32_t method = 0;
  std::uint32_t crc = 0;
  std::uint32_t packed_size = 0;
  std::uint32_t size = 0;
  std::size_t offset = 0;
  std::size_t next = 0;
};

std::optional<Member> member_at(std::string_view archive, std::size_t at) {
  constexpr std::size_t fixed = 46;
  if (!archive.substr(std::min(at, archive.size())).starts_with("PK\x01\x02")) return std::nullopt;
  std::size_t const name_size = number_at(archive, at + 28, 2);
  if (at + fixed + name_size > archive.size()) return std::nullopt;
  auto name = utf8_of_chinese(archive.substr(at + fixed, name_size));
  if (!name) return std::nullopt;
  return Member{.name = std::move(*name),
                .method = number_at(archive, at + 10, 2),
                .crc = number_at(archive, at + 16, 4),
                .packed_size = number_at(archive, at + 20, 4),
                .size = number_at(archive, at + 24, 4),
                .offset = number_at(archive, at + 42, 4),
                .next = at + fixed + name_size + number_at(archive, at + 30, 2) + number_at(archive, at + 32, 2)};
}

Result<std::string> content_of(std::string_view archive, Member const& member) {
  constexpr std::size_t fixed = 30;
  if (!archive.substr(std::min(member.offset, archive.size())).starts_with("PK\x03\x04")) return torn("is torn");
  std::size_t const begin =
      member.offset + fixed + number_at(archive, member.offset + 26, 2) + number_at(archive, member.offset + 28, 2);
  if (begin > archive.size() || member.packed_size > archive.size() - begin) return torn("is torn");
  std::string_view const packed = archive.substr(begin, member.packed_size);
  constexpr std::uint32_t stored = 0;
  constexpr std::uint32_t deflated = 8;
  if (member.method != stored && member.method != deflated) return torn("is packed in an unknown way");
  auto content = member.method == stored ? Result<std::string>{std::string{packed}} : unpacked(packed, -MAX_WBITS);
  if (!content) return content;
  auto const crc = crc32(0, reinterpret_cast<Bytef const*>(content->data()), static_cast<uInt>(content->size()));
  if (content->size() != member.size || crc != member.crc) return torn("is torn");
  return content;
}

}  // namespace

Result<std::string> utf8_of_chinese(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (is_utf8(text)) return std::string{text.starts_with(byte_order_mark) ? text.substr(3) : text};
  auto converted = utf8_of_gb18030(text);
  if (!converted) return torn("is neither UTF-8 nor GB18030");
  return std::move(*converted);
}

Result<std::string> ungzipped(std::string bytes) {
  constexpr int gzip = 16;
  if (!bytes.starts_with("\x1F\x8B")) return bytes;
  return unpacked(bytes, MAX_WBITS + gzip);
}

bool is_zip(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

Result<std::string> member_of_zip(std::string_view archive, bool (*is_wanted)(std::string_view name)) {
  constexpr std::size_t end_size = 22;
  std::size_t const end = archive.rfind("PK\x05\x06");
  if (end == std::string_view::npos || end + end_size > archive.size()) return torn("is torn");
  std::optional<Member> wanted;
  std::size_t at = number_at(archive, end + 16, 4);
  for (std::uint32_t left = number_at(archive, end + 10, 2); left > 0; --left) {
    auto member = member_at(archive, at);
    if (!member) return torn("is torn");
    at = member->next;
    if (!is_wanted(member->name)) continue;
    if (wanted) return torn("holds two lists");
    wanted = std::move(*member);
  }
  if (!wanted) return torn("holds no list of the day's business");
  return content_of(archive, *wanted);
}

}  // namespace payonce
