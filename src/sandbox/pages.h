// The bank's pages for people, as HTML text: the list of charges, and the page where a buyer approves or refuses.
// Pure. English and Chinese stand side by side, since nobody chose a language before.
#pragma once

#include <string>
#include <string_view>

#include "sandbox/bank.h"

namespace payonce::sandbox {

// Charges that wait for their buyer, and the latest 50.
std::string overview_page(Bank const& bank, std::string_view account);

// With a way back to `return_url` once the charge has ended, unless that is empty.
std::string charge_page(Charge const& charge, std::string_view account, std::string_view return_url);

std::string no_charge_page(std::string_view number);

}  // namespace payonce::sandbox
