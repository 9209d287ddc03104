#include "base/html.h"

namespace payonce {

std::string escape_html(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (char const c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else if (c == '\'')
      safe += "&#39;";
    else
      safe.push_back(c);
  }
  return safe;
}

}  // namespace payonce
