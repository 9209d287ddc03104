// UTF-8, as RFC 3629 has it. What comes in path and query can be any bytes, while JSON holds UTF-8 only.
#pragma once

#include <string>
#include <string_view>

namespace payonce {

bool is_utf8(std::string_view text);

// The text with U+FFFD for every byte that is part of no character: bytes of a peer, or a text that was cut.
std::string to_utf8(std::string_view text);

}  // namespace payonce
