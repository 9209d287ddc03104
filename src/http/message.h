// What a page may show the buyer about a payment or a refund, so that no page has to invent words for "we do not know".
#pragma once

#include <string_view>

#include "payment/state.h"

namespace payonce {

struct Message {
  std::string_view en;
  std::string_view zh;
};

Message message_for(AttemptState state);
Message message_for(CaptureState state);
Message message_for(RefundState state);

}  // namespace payonce
