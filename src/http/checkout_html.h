// The hosted page as HTML text: what it says is true without a script, and the element takes over where there is one.
// Pure. Not for: which language, or how an answer is sent (checkout_pages.cpp).
#pragma once

#include <string>
#include <string_view>

#include "http/checkout_view.h"

namespace payonce {

enum class Language { en, zh };
std::string_view to_text(Language language);

// `address` is where the page's own calls go, without host.
std::string checkout_html(Order const& order, CheckoutView const& view, CheckoutState const& state,
                          CheckoutGrant const& grant, std::string_view address, Language language);
// For an address that opens nothing.
std::string no_checkout_html(Language language);
// Where a provider sends the buyer: it names no token, so the page can only lead back to the one that does.
std::string return_html(Language language);

// A file of the page, and its type; empty if there is none of that name.
struct PageAsset {
  std::string_view type;
  std::string_view body;
};
PageAsset page_asset(std::string_view name);

}  // namespace payonce
