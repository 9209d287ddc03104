#include "payment/transition.h"

namespace payonce {

std::string_view to_text(Event event) {
  switch (event) {
    case Event::succeeded: return "succeeded";
    case Event::declined: return "declined";
    case Event::closed: return "closed";
    case Event::pending: return "pending";
    case Event::requires_action: return "requires_action";
    case Event::authorized: return "authorized";
    case Event::not_found: return "not_found";
    case Event::in_doubt: return "in_doubt";
    case Event::not_sent: return "not_sent";
    case Event::released: return "released";
    case Event::dispute_opened: return "dispute_opened";
    case Event::dispute_won: return "dispute_won";
    case Event::reversed: return "reversed";
  }
  return "";
}

}  // namespace payonce
