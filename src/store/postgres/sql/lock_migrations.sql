-- Until the end of the transaction; the number is the bytes of "payonce".
SELECT pg_advisory_xact_lock(31632371580035941)
