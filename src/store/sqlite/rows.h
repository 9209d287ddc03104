// Rows of the database as the types of the rules. The order of the columns is that of the select statements.
#pragma once

#include "store/sqlite/statement.h"
#include "store/store.h"

namespace payonce::sqlite {

OrderKey read_order_key(Rows& rows);
OrderHead read_order_head(Rows& rows);
Attempt read_attempt(Rows& rows);
Refund read_refund(Rows& rows);
StoredEvent read_event(Rows& rows);
Effect read_effect(Rows& rows);
NoticeRow read_notice(Rows& rows);
ApiKeyRow read_api_key(Rows& rows);

// NULL when there is no evidence.
std::optional<std::string_view> evidence_text(std::optional<Evidence> const& evidence);

}  // namespace payonce::sqlite
