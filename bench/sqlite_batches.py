"""What SQLite can do with batches: the rows of bench/pgbench_batches.sql in payonce's tables, no rules, no answers.

A statement for all rows of a table, two transactions for 64 payments, each flushed.
"""

import sqlite3
import time

from percentiles import percentiles

PAYMENTS = 64

BEGIN_PAYMENTS = """
INSERT INTO orders (merchant_id, order_id, amount_minor, currency, policy, capture, state, paid_minor, held_minor,
                    metadata, created_at, updated_at)
SELECT 'bench', 'o-' || it, 1999, 'CNY', 'single', 'automatic', 'OPEN', 0, 1999, '', 1, 1 FROM batch WHERE true
ON CONFLICT DO NOTHING;
INSERT OR ROLLBACK INTO payment_attempts (attempt_row, merchant_id, order_row, attempt_id, policy, idempotency_key,
  fingerprint, provider, method, amount_minor, currency, metadata, state, surplus, exposed, cancel_requested, review,
  request, provider_ref, action_url, answer_code, answer, tries, due_at, first_sent_at, expires_at, created_at,
  updated_at, part, place, disputes)
SELECT row, 'bench', row, 'pay_' || it, 'single', 'k-' || it,
       '568e4630f9596bbbbd4c5b566a3f202760c43cbf1cbb8675db96ade32edf9b3e', 'instant', '', 1999, 'CNY', '', 'PROCESSING',
       0, 1, 0, '', CAST('{"number":"pay_01m8mygy3hamc5jbtw586r0twz","amount":1999,"currency":"CNY"}' AS BLOB), '', '',
       '', x'', 0, 1, 1, 2, 1, 1, '', '', 0
FROM batch;
INSERT OR ROLLBACK INTO attempt_events (merchant_id, order_row, attempt_id, refund_id, type, from_state, to_state, actor,
                                        code, text, at)
SELECT 'bench', row, '', '', 'order.registered', '', 'OPEN', '', '', 'Order registered: 19.99 CNY.', 1 FROM batch;
INSERT OR ROLLBACK INTO attempt_events (merchant_id, order_row, attempt_id, refund_id, type, from_state, to_state, actor,
                                        code, text, at)
SELECT 'bench', row, 'pay_' || it, '', 'payment.created', '', 'PROCESSING', '', '',
       'Payment of 19.99 CNY by instant begun under a key.', 1
FROM batch;
"""

SETTLE_PAYMENTS = """
UPDATE OR ROLLBACK payment_attempts
SET state = 'SUCCEEDED', captured_minor = 1999, evidence = 'response', answer_code = 'ok', due_at = NULL,
    provider_ref = attempt_id, settled_at = 2, updated_at = 2
WHERE attempt_row IN (SELECT row FROM batch);
UPDATE OR ROLLBACK orders SET state = 'PAID', paid_minor = 1999, held_minor = 0, updated_at = 2
WHERE order_row IN (SELECT row FROM batch);
INSERT OR ROLLBACK INTO attempt_events (merchant_id, order_row, attempt_id, refund_id, type, from_state, to_state,
                                        evidence, actor, code, text, at)
SELECT 'bench', row, 'pay_' || it, '', 'payment.succeeded', 'PROCESSING', 'SUCCEEDED', 'response', '', 'ok',
       'The response says succeeded: ok.', 2
FROM batch;
INSERT OR ROLLBACK INTO effects (merchant_id, attempt_row, refund_id, name, state, tries, due_at, created_at, last_error)
SELECT 'bench', row, '', name, 'PENDING', 0, 2, 2, '' FROM batch, effect_names;
INSERT OR ROLLBACK INTO journal (merchant_id, order_row, attempt_id, refund_id, debit, credit, amount_minor, currency, at)
SELECT 'bench', row, 'pay_' || it, '', 'provider', 'revenue', 1999, 'CNY', 2 FROM batch;
"""


def statements(script):
    return [it for it in script.split(";\n") if it.strip()]


def written_bytes():
    with open("/proc/self/io", encoding="ascii") as counts:
        return next(int(line.split()[1]) for line in counts if line.startswith("write_bytes"))


def connect(path):
    """As payonce connects, but that each commit waits for its own flush."""
    database = sqlite3.connect(path, isolation_level=None)
    for setting in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = OFF", "cache_spill = OFF"):
        database.execute(f"PRAGMA {setting}")
    database.execute("CREATE TEMP TABLE batch (place INTEGER PRIMARY KEY, row INTEGER, it TEXT)")
    database.execute("CREATE TEMP TABLE effect_names (name TEXT)")
    database.executemany("INSERT INTO effect_names VALUES (?)", [("ship",), ("points",), ("notify",)])
    return database


def run(path, seconds):
    """Figures of as many batches as fit in `seconds`, in a database that has payonce's tables and no rows."""
    database = connect(path)
    transactions = [statements(BEGIN_PAYMENTS), statements(SETTLE_PAYMENTS)]
    times = []
    first = 1
    written, cpu, start = written_bytes(), time.process_time(), time.monotonic()
    while time.monotonic() - start < seconds:
        began = time.monotonic()
        rows = [(place, first + place, f"{first + place:010}") for place in range(PAYMENTS)]
        database.executemany("INSERT OR REPLACE INTO batch VALUES (?, ?, ?)", rows)
        for transaction in transactions:
            database.execute("BEGIN IMMEDIATE")
            for statement in transaction:
                database.execute(statement)
            database.execute("COMMIT")
        first += PAYMENTS
        times.append((time.monotonic() - began) * 1000)
    took, cpu, written = time.monotonic() - start, time.process_time() - cpu, written_bytes() - written
    paid = database.execute("SELECT count(*) FROM orders WHERE state = 'PAID'").fetchone()[0]
    database.close()
    return {
        "per_second": paid / took,
        **percentiles(times),
        "database_us": cpu * 1e6 / paid,
        "written_kb": written / 1024 / paid,
    }
