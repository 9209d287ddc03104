// Every limit on what comes in or waits, in one place, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace payonce::limits {

using namespace std::chrono_literals;

// Requests. A payment request is under 1 KiB; the room is for metadata.
inline constexpr std::size_t body_bytes = 64 * 1024;
inline constexpr std::size_t notice_body_bytes = 256 * 1024;  // Stripe objects with expansions reach ~100 KiB
inline constexpr std::size_t header_bytes = 16 * 1024;        // with a long traceparent, cookies of a proxy
inline constexpr std::size_t target_bytes = 2 * 1024;
inline constexpr std::size_t connections = 20'000;  // idle long-polls included
inline constexpr auto header_read_timeout = 15s;    // from the first byte; stops slow-header attacks
inline constexpr auto body_read_timeout = 30s;      // a phone on a bad network needs some
inline constexpr auto idle_timeout = 75s;           // longer than the 60 s of common proxies

// Fields.
inline constexpr std::size_t idempotency_key_chars = 255;  // as in the IETF draft's examples and at Stripe
inline constexpr std::size_t order_id_chars = 64;          // what Alipay takes in out_trade_no
inline constexpr std::size_t merchant_id_chars = 64;
inline constexpr std::size_t provider_name_chars = 32;
inline constexpr std::size_t part_chars = 64;
inline constexpr std::size_t method_chars = 255;  // a provider's token for a card or wallet
inline constexpr std::size_t metadata_entries = 20;
inline constexpr std::size_t metadata_value_chars = 500;
inline constexpr std::size_t effect_name_chars = 32;
inline constexpr std::size_t effects_per_merchant = 16;
inline constexpr std::size_t reason_chars = 500;
inline constexpr std::size_t event_id_chars = 255;
// Amounts stay in the range that JavaScript holds exactly, so that a JSON number is always the amount meant.
inline constexpr std::int64_t amount_minor_max = 9'007'199'254'740'991;

// Waiting.
inline constexpr auto wait_max = 60s;                   // Prefer: wait and ?wait=
inline constexpr std::size_t batch_commands_max = 512;  // one transaction; beyond it latency grows, throughput does not
inline constexpr std::size_t queue_commands_max = 16'384;        // about a second of work; beyond it the service sheds
inline constexpr std::size_t provider_answer_bytes = 16 * 1024;  // kept as evidence with the attempt
inline constexpr std::size_t events_page = 500;

}  // namespace payonce::limits
