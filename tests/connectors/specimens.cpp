#include "connectors/specimens.h"

namespace payonce::test {

std::vector<std::shared_ptr<Specimen const>> specimens() {
  return {stripe_specimen(), alipay_specimen(), wechatpay_specimen(), paypal_specimen()};
}

}  // namespace payonce::test
