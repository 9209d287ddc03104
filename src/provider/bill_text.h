// The text of a statement's file: out of the archive or compression that it came in, and as UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace payonce {

// As UTF-8 without a byte order mark: taken as such if it is that, else as GB18030 (of which GBK is a part). No byte is
// replaced: invalid_request if it is neither.
Result<std::string> utf8_of_chinese(std::string_view text);

// What gzip packed; the bytes themselves if they are not packed. invalid_request if they are torn or more than
// statement_bytes_max.
Result<std::string> ungzipped(std::string bytes);

bool is_zip(std::string_view bytes);
// The one member of a ZIP archive whose name `is_wanted`. The name is handed over as UTF-8, whichever way it was
// written. invalid_request if there is none or several, if the archive is torn, or if it is too large.
Result<std::string> member_of_zip(std::string_view archive, bool (*is_wanted)(std::string_view name));

}  // namespace payonce
