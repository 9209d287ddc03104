// What a page may show the buyer about a payment or a refund, so that no page has to invent words for "we do not know".
#pragma once

#include <string_view>

#include "base/json_object.h"
#include "payment/state.h"

namespace payonce {

struct Message {
  std::string_view en;
  std::string_view zh;
};

// {"en": …, "zh": …}
JsonObject message_object(Message const& message);

Message message_for(AttemptState state);
Message message_for(CaptureState state);
Message message_for(RefundState state);

}  // namespace payonce
