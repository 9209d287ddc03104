#include "provider/form.h"

namespace payonce {

Form& Form::add(std::string_view name, std::string_view value) {
  if (!text_.empty()) text_.push_back('&');
  text_.append(name).append("=").append(percent_encode(value));
  return *this;
}

}  // namespace payonce
