-- Milliseconds since 1970 by the server's clock.
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
