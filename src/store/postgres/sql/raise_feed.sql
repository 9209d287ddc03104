UPDATE event_feed
SET sequence_offset = sequence_offset + $1::bigint
