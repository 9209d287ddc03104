// ZIP archives and GBK, as the bills of Chinese providers come. Pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace payonce::sandbox {

// Name and content of each file, both as bytes.
std::string zip_of(std::vector<std::pair<std::string, std::string>> const& files);
// Of UTF-8. What GBK has no character for is a bug of the caller's, and throws std::runtime_error.
std::string to_gbk(std::string_view text);

}  // namespace payonce::sandbox
