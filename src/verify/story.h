// An order's books told in words, for `payonce explain`: what was asked, sent and answered, by which evidence the state
// changed, what is due next and why. Not for machines: the wording may change.
#pragma once

#include <string>

#include "verify/books.h"

namespace payonce {

// The whole order, or only what concerns `payment` when it is not empty; `now` decides what is overdue. Times are UTC.
// Control characters in texts from outside are shown as blanks, so that a terminal obeys nobody else.
std::string tell_story(OrderBooks const& books, AttemptId const& payment, Time now);

// Where the order stands, in one sentence or two.
std::string truth_of(Order const& order);

}  // namespace payonce
