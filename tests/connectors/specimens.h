// The specimens one by one, for the list of all of them. Not for tests; those take specimens().
#pragma once

#include "connectors/specimen.h"

namespace payonce::test {

std::shared_ptr<Specimen const> stripe_specimen();
std::shared_ptr<Specimen const> alipay_specimen();
std::shared_ptr<Specimen const> wechatpay_specimen();
std::shared_ptr<Specimen const> paypal_specimen();

}  // namespace payonce::test
