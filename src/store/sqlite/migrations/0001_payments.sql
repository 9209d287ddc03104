-- The books of payonce. Constraints repeat the rules of src/payment, so that a bug above them can't charge twice.
-- Times are milliseconds since 1970, money is in minor units. Text compares byte by byte (the default, BINARY): keys
-- and ids that differ in case or trailing blanks are different. What was sent and received is kept as BLOB: any bytes fit.
-- Rows refer to each other by row number: a number is short, quick to compare, and new ones stand together, whereas a
-- shop's order ids may be random and would touch a page of their own in every index they are part of.
-- Tables that are written many rows at a time (orders, attempts, events, effects, journal) have their foreign keys
-- checked at the commit and no function in their checks: bulk_insert.cpp says why.
-- Checks spell out `a = 1 OR a = 2`: for a list of more than two, SQLite builds a temporary table for each row.
-- And they say `(a AND b) OR (NOT a AND NOT b)`, which ends at the first answer, where `a = b` would compare a state with
-- each of its values.

CREATE TABLE orders (
  order_row    INTEGER PRIMARY KEY,
  merchant_id  TEXT NOT NULL,
  order_id     TEXT NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency     TEXT NOT NULL CHECK (currency BETWEEN 'AAA' AND 'ZZZ'),
  policy       TEXT NOT NULL CHECK (policy IN ('single', 'split')),
  state        TEXT NOT NULL CHECK (state = 'OPEN' OR state = 'PAID' OR state = 'CLOSED'),
  paid_minor   INTEGER NOT NULL,
  held_minor   INTEGER NOT NULL,
  metadata     TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  -- When payonce looks at it next, to close what has expired.
  due_at       INTEGER,
  -- Of all its payments; fixed with the order.
  capture      TEXT NOT NULL CHECK (capture IN ('automatic', 'manual')),
  UNIQUE (merchant_id, order_id),
  -- What is captured and what may still be captured never exceed what the buyer owes.
  CONSTRAINT paid_and_held_within_amount
    CHECK (paid_minor >= 0 AND held_minor >= 0 AND paid_minor + held_minor <= amount_minor),
  -- An order is called paid only over money in the books.
  CONSTRAINT paid_has_money CHECK (paid_minor > 0 OR state <> 'PAID'),
  -- An open order that expires is not forgotten.
  CONSTRAINT expiry_is_watched
    CHECK ((due_at IS NOT NULL AND expires_at IS NOT NULL AND state = 'OPEN') OR
           (due_at IS NULL AND (expires_at IS NULL OR state <> 'OPEN')))
) STRICT;

CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE payment_attempts (
  attempt_row      INTEGER PRIMARY KEY,
  merchant_id      TEXT NOT NULL,
  order_row        INTEGER NOT NULL REFERENCES orders DEFERRABLE INITIALLY DEFERRED,
  -- Unique by itself: a provider names nothing else.
  attempt_id       TEXT NOT NULL UNIQUE,
  policy           TEXT NOT NULL CHECK (policy IN ('single', 'split')),
  idempotency_key  TEXT NOT NULL,
  fingerprint      TEXT NOT NULL,
  provider         TEXT NOT NULL,
  method           TEXT NOT NULL,
  amount_minor     INTEGER NOT NULL CHECK (amount_minor > 0),
  currency         TEXT NOT NULL CHECK (currency BETWEEN 'AAA' AND 'ZZZ'),
  metadata         TEXT NOT NULL,
  state            TEXT NOT NULL CHECK (state = 'PROCESSING' OR state = 'SUCCEEDED' OR state = 'REQUIRES_ACTION' OR
                                          state = 'UNKNOWN' OR state = 'RELEASED' OR state = 'FAILED' OR
                                          state = 'CANCELED' OR state = 'DISPUTED' OR state = 'REVERSED' OR
                                          state = 'AUTHORIZED'),
  captured_minor   INTEGER,
  surplus          INTEGER NOT NULL CHECK (surplus IN (0, 1)),
  exposed          INTEGER NOT NULL CHECK (exposed IN (0, 1)),
  cancel_requested INTEGER NOT NULL CHECK (cancel_requested IN (0, 1)),
  review           TEXT NOT NULL,
  request          BLOB NOT NULL,
  provider_ref     TEXT NOT NULL,
  action_url       TEXT NOT NULL,
  evidence         TEXT CHECK (evidence = 'response' OR evidence = 'query' OR evidence = 'notice' OR
                               evidence = 'statement' OR evidence = 'operator'),
  answer_code      TEXT NOT NULL,
  answer           BLOB NOT NULL,
  tries            INTEGER NOT NULL CHECK (tries >= 0),
  due_at           INTEGER,
  first_sent_at    INTEGER,
  expires_at       INTEGER NOT NULL,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  settled_at       INTEGER,
  -- Which part of a split order it pays; empty for the whole of a single one.
  part             TEXT NOT NULL CHECK (part = '' OR policy = 'split'),
  disputes         INTEGER NOT NULL CHECK (disputes >= 0),
  -- Its part if it has the one place of it, else NULL. A column, since an index that names the state would be written
  -- anew with every change of it.
  place            TEXT CHECK (place = part),
  -- A key belongs to one attempt, for ever.
  UNIQUE (idempotency_key, merchant_id),
  -- No later news takes a success back: what was captured never gets less (update_attempt) and keeps the state. Of a
  -- hold something may be captured before the payment is complete, and in the end less than all.
  CONSTRAINT captured_is_succeeded
    CHECK ((captured_minor IS NULL AND state <> 'SUCCEEDED' AND state <> 'DISPUTED' AND state <> 'REVERSED') OR
           (captured_minor IS NOT NULL AND captured_minor > 0 AND captured_minor <= amount_minor AND
            (state = 'SUCCEEDED' OR state = 'DISPUTED' OR state = 'REVERSED' OR state = 'AUTHORIZED'))),
  -- An attempt ends only on evidence.
  CONSTRAINT ended_has_evidence
    CHECK ((evidence IS NOT NULL AND settled_at IS NOT NULL) OR
           (state = 'PROCESSING' OR state = 'REQUIRES_ACTION' OR state = 'UNKNOWN' OR state = 'RELEASED' OR
            state = 'AUTHORIZED')),
  -- Money that may have moved is never called a failure: failing needs the provider's stored answer.
  CONSTRAINT failed_has_answer CHECK (state <> 'FAILED' OR answer_code <> '' OR answer <> x''),
  -- Nothing unresolved is forgotten, and nothing resolved is asked about again.
  CONSTRAINT watched_until_ended
    CHECK ((due_at IS NOT NULL AND (state = 'PROCESSING' OR state = 'REQUIRES_ACTION' OR state = 'UNKNOWN' OR
                                    state = 'RELEASED' OR state = 'AUTHORIZED')) OR
           (due_at IS NULL AND (state = 'SUCCEEDED' OR state = 'FAILED' OR state = 'CANCELED' OR state = 'DISPUTED' OR
                                state = 'REVERSED'))),
  -- Surplus is money that came.
  CONSTRAINT surplus_is_money CHECK (surplus = 0 OR captured_minor IS NOT NULL),
  -- An attempt that is live, or whose money paid, has its place.
  CONSTRAINT live_or_paid_has_place
    CHECK (place IS NOT NULL OR surplus = 1 OR state = 'RELEASED' OR state = 'FAILED' OR state = 'CANCELED')
) STRICT;

-- At most one attempt of an order, or of a part of a split one, is live or has paid it: NULLs are all different. Also
-- leads to all attempts of an order.
CREATE UNIQUE INDEX one_live_or_paid_attempt ON payment_attempts (order_row, place);

CREATE INDEX attempts_due ON payment_attempts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX attempts_unknown ON payment_attempts (created_at) WHERE state = 'UNKNOWN';
CREATE INDEX attempts_in_review ON payment_attempts (merchant_id, attempt_id) WHERE review <> '';

-- What was promised to the caller and to the provider does not change behind their backs. The service never names these
-- columns in an update, so this costs it nothing.
CREATE TRIGGER attempt_is_fixed
BEFORE UPDATE OF attempt_row, merchant_id, order_row, attempt_id, policy, idempotency_key, fingerprint, provider, method, amount_minor,
                 currency, created_at, part ON payment_attempts
BEGIN
  SELECT RAISE(ABORT, 'number, key, amount and provider of an attempt never change');
END;

CREATE TABLE refunds (
  refund_row   INTEGER PRIMARY KEY,
  merchant_id  TEXT NOT NULL,
  order_row    INTEGER NOT NULL REFERENCES orders,
  -- Unique by itself, as the attempt's number is.
  refund_id    TEXT NOT NULL UNIQUE,
  attempt_id   TEXT NOT NULL REFERENCES payment_attempts (attempt_id),
  -- NULL unless it was asked for here.
  idempotency_key TEXT CHECK (idempotency_key <> ''),
  reason       TEXT NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency     TEXT NOT NULL CHECK (length(currency) = 3),
  state        TEXT NOT NULL CHECK (state = 'R_PROCESSING' OR state = 'R_UNKNOWN' OR state = 'R_SUCCEEDED' OR
                                      state = 'R_FAILED' OR state = 'R_RETURNED'),
  review       TEXT NOT NULL,
  request      BLOB NOT NULL,
  provider_ref TEXT NOT NULL,
  evidence     TEXT CHECK (evidence = 'response' OR evidence = 'query' OR evidence = 'notice' OR
                           evidence = 'statement' OR evidence = 'operator'),
  answer_code  TEXT NOT NULL,
  answer       BLOB NOT NULL,
  tries        INTEGER NOT NULL CHECK (tries >= 0),
  due_at       INTEGER,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  origin       TEXT NOT NULL CHECK (origin = 'request' OR origin = 'surplus' OR origin = 'outside'),
  -- A key belongs to one refund, for ever.
  UNIQUE (idempotency_key, merchant_id),
  CONSTRAINT refund_ended_has_evidence
    CHECK (evidence IS NOT NULL OR state = 'R_PROCESSING' OR state = 'R_UNKNOWN'),
  CONSTRAINT refund_watched_until_ended
    CHECK ((state = 'R_PROCESSING' OR state = 'R_UNKNOWN') = (due_at IS NOT NULL)),
  CONSTRAINT asked_for_has_key CHECK ((origin = 'request') = (idempotency_key IS NOT NULL))
) STRICT;

-- Surplus money is given back once.
CREATE UNIQUE INDEX one_surplus_refund ON refunds (merchant_id, attempt_id) WHERE origin = 'surplus';
CREATE INDEX refunds_of_order ON refunds (order_row);
CREATE INDEX refunds_of_attempt ON refunds (attempt_id);
CREATE INDEX refunds_due ON refunds (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX refunds_in_review ON refunds (merchant_id, attempt_id) WHERE review <> '';

-- Refunds that are live or done never exceed what was captured. Nothing but surplus goes back by itself.
CREATE TRIGGER refund_within_captured AFTER INSERT ON refunds
BEGIN
  SELECT RAISE(ABORT, 'refunds exceed what was captured')
  WHERE NEW.state <> 'R_FAILED' AND NEW.state <> 'R_RETURNED' AND NOT EXISTS (
    SELECT 1 FROM payment_attempts AS a
    WHERE a.attempt_id = NEW.attempt_id AND a.order_row = NEW.order_row
      AND a.currency = NEW.currency AND (a.surplus = 1 OR NEW.origin <> 'surplus')
      AND a.captured_minor >= (SELECT sum(r.amount_minor) FROM refunds AS r
                               WHERE r.attempt_id = NEW.attempt_id AND r.state <> 'R_FAILED'
                                 AND r.state <> 'R_RETURNED'));
END;

-- A refund that failed and then did happen takes its share again.
CREATE TRIGGER refund_still_within_captured AFTER UPDATE OF state ON refunds
WHEN OLD.state = 'R_FAILED' AND NEW.state <> 'R_FAILED'
BEGIN
  SELECT RAISE(ABORT, 'refunds exceed what was captured')
  WHERE (SELECT sum(r.amount_minor) FROM refunds AS r
         WHERE r.attempt_id = NEW.attempt_id AND r.state <> 'R_FAILED' AND r.state <> 'R_RETURNED')
      > (SELECT a.captured_minor FROM payment_attempts AS a WHERE a.attempt_id = NEW.attempt_id);
END;

CREATE TRIGGER refund_succeeded_is_final BEFORE UPDATE OF state ON refunds
WHEN (OLD.state = 'R_SUCCEEDED' AND NEW.state <> 'R_SUCCEEDED' AND NEW.state <> 'R_RETURNED') OR
     (OLD.state = 'R_RETURNED' AND NEW.state <> 'R_RETURNED')
BEGIN
  SELECT RAISE(ABORT, 'a succeeded refund is not undone but by the money''s return');
END;

CREATE TRIGGER refund_is_fixed
BEFORE UPDATE OF refund_row, merchant_id, order_row, refund_id, attempt_id, idempotency_key, reason, amount_minor,
                 currency, created_at, origin ON refunds
BEGIN
  SELECT RAISE(ABORT, 'number, attempt and amount of a refund never change');
END;

CREATE TABLE captures (
  capture_row  INTEGER PRIMARY KEY,
  merchant_id  TEXT NOT NULL,
  order_row    INTEGER NOT NULL REFERENCES orders,
  -- Unique by itself, as the attempt's number is.
  capture_id   TEXT NOT NULL UNIQUE,
  attempt_id   TEXT NOT NULL REFERENCES payment_attempts (attempt_id),
  -- NULL when it was made at the provider without payonce.
  idempotency_key TEXT CHECK (idempotency_key <> ''),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency     TEXT NOT NULL CHECK (length(currency) = 3),
  is_final     INTEGER NOT NULL CHECK (is_final IN (0, 1)),
  state        TEXT NOT NULL CHECK (state = 'C_PROCESSING' OR state = 'C_UNKNOWN' OR state = 'C_SUCCEEDED' OR
                                      state = 'C_FAILED'),
  request      BLOB NOT NULL,
  provider_ref TEXT NOT NULL,
  evidence     TEXT CHECK (evidence = 'response' OR evidence = 'query' OR evidence = 'notice' OR
                           evidence = 'statement' OR evidence = 'operator'),
  answer_code  TEXT NOT NULL,
  answer       BLOB NOT NULL,
  tries        INTEGER NOT NULL CHECK (tries >= 0),
  due_at       INTEGER,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  -- A key belongs to one capture, for ever.
  UNIQUE (idempotency_key, merchant_id),
  CONSTRAINT capture_ended_has_evidence
    CHECK (evidence IS NOT NULL OR state = 'C_PROCESSING' OR state = 'C_UNKNOWN'),
  CONSTRAINT capture_watched_until_ended
    CHECK ((state = 'C_PROCESSING' OR state = 'C_UNKNOWN') = (due_at IS NOT NULL))
) STRICT;

-- Captures of a payment come one after the other.
CREATE UNIQUE INDEX one_capture_under_way ON captures (attempt_id)
  WHERE state = 'C_PROCESSING' OR state = 'C_UNKNOWN';
CREATE INDEX captures_of_order ON captures (order_row);
CREATE INDEX captures_of_attempt ON captures (attempt_id);
CREATE INDEX captures_due ON captures (due_at) WHERE due_at IS NOT NULL;

-- Captures that are live or done never exceed what is held.
CREATE TRIGGER capture_within_held AFTER INSERT ON captures
BEGIN
  SELECT RAISE(ABORT, 'captures exceed what is held')
  WHERE NEW.state <> 'C_FAILED' AND NOT EXISTS (
    SELECT 1 FROM payment_attempts AS a
    WHERE a.attempt_id = NEW.attempt_id AND a.order_row = NEW.order_row AND a.currency = NEW.currency
      AND a.amount_minor >= (SELECT sum(c.amount_minor) FROM captures AS c
                             WHERE c.attempt_id = NEW.attempt_id AND c.state <> 'C_FAILED'));
END;

-- A capture that failed and then did happen takes its share again.
CREATE TRIGGER capture_still_within_held AFTER UPDATE OF state ON captures
WHEN OLD.state = 'C_FAILED' AND NEW.state <> 'C_FAILED'
BEGIN
  SELECT RAISE(ABORT, 'captures exceed what is held')
  WHERE (SELECT sum(c.amount_minor) FROM captures AS c
         WHERE c.attempt_id = NEW.attempt_id AND c.state <> 'C_FAILED')
      > (SELECT a.amount_minor FROM payment_attempts AS a WHERE a.attempt_id = NEW.attempt_id);
END;

CREATE TRIGGER capture_succeeded_is_final BEFORE UPDATE OF state ON captures
WHEN OLD.state = 'C_SUCCEEDED' AND NEW.state <> 'C_SUCCEEDED'
BEGIN
  SELECT RAISE(ABORT, 'a succeeded capture is not undone');
END;

CREATE TRIGGER capture_is_fixed
BEFORE UPDATE OF capture_row, merchant_id, order_row, capture_id, attempt_id, idempotency_key, amount_minor, currency,
                 is_final, created_at ON captures
BEGIN
  SELECT RAISE(ABORT, 'number, attempt and amount of a capture never change');
END;

-- The timeline and the event feed. There is one writer at a time, and the last event is never deleted, so the sequence
-- grows in commit order. Both indexes end in the sequence, as every index does in its row's number.
CREATE TABLE attempt_events (
  sequence    INTEGER PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  order_row   INTEGER NOT NULL,
  attempt_id  TEXT NOT NULL,
  refund_id   TEXT NOT NULL,
  type        TEXT NOT NULL,
  from_state  TEXT NOT NULL,
  to_state    TEXT NOT NULL,
  evidence    TEXT CHECK (evidence = 'response' OR evidence = 'query' OR evidence = 'notice' OR
                          evidence = 'statement' OR evidence = 'operator'),
  actor       TEXT NOT NULL,
  code        TEXT NOT NULL,
  text        TEXT NOT NULL,
  at          INTEGER NOT NULL
) STRICT;

CREATE INDEX events_of_merchant ON attempt_events (merchant_id);
CREATE INDEX events_of_order ON attempt_events (order_row);

-- Orders whose history, up to that time, stands in the archive: requests, answers and notices in full, and the timeline.
-- The order itself stays here with its payments, keys, numbers and sums.
CREATE TABLE archived_orders (
  order_row   INTEGER PRIMARY KEY REFERENCES orders,
  archived_at INTEGER NOT NULL
) STRICT;

-- What happened stays as it was told, here or in the archive.
CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON attempt_events
BEGIN
  SELECT RAISE(ABORT, 'the timeline is append-only');
END;
CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON attempt_events
WHEN NOT EXISTS (SELECT 1 FROM archived_orders AS a WHERE a.order_row = OLD.order_row)
BEGIN
  SELECT RAISE(ABORT, 'the timeline is append-only');
END;

-- The books in the sense of an accountant: every movement of money from one account to another, written with the state
-- that it follows from. One row names both sides, so that the books always balance.
CREATE TABLE journal (
  entry        INTEGER PRIMARY KEY,
  merchant_id  TEXT NOT NULL,
  order_row    INTEGER NOT NULL,
  attempt_id   TEXT NOT NULL,
  refund_id    TEXT NOT NULL,
  debit        TEXT NOT NULL,
  credit       TEXT NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency     TEXT NOT NULL CHECK (currency BETWEEN 'AAA' AND 'ZZZ'),
  at           INTEGER NOT NULL,
  CONSTRAINT two_sides CHECK (debit <> credit)
) STRICT;

CREATE INDEX journal_of_order ON journal (order_row);
CREATE INDEX journal_of_day ON journal (merchant_id, at);

CREATE TRIGGER journal_is_not_changed BEFORE UPDATE ON journal
BEGIN
  SELECT RAISE(ABORT, 'the journal is append-only');
END;
CREATE TRIGGER journal_is_not_deleted BEFORE DELETE ON journal
BEGIN
  SELECT RAISE(ABORT, 'the journal is append-only');
END;

-- A provider's message counts once, whoever brings it: its key is the provider's, not the merchant's.
CREATE TABLE processed_webhook_events (
  provider      TEXT NOT NULL,
  event_id      TEXT NOT NULL,
  number        TEXT NOT NULL,
  refund_number TEXT NOT NULL,
  disposition   TEXT NOT NULL CHECK (disposition = 'applied' OR disposition = 'misfit' OR disposition = 'unmatched' OR
                                            disposition = 'foreign'),
  outcome       TEXT NOT NULL CHECK (outcome = 'succeeded' OR outcome = 'declined' OR outcome = 'pending' OR
                                        outcome = 'requires_action' OR outcome = 'not_found' OR outcome = 'in_doubt' OR
                                        outcome = 'not_sent' OR outcome = 'dispute_opened' OR
                                        outcome = 'dispute_won' OR outcome = 'dispute_lost' OR outcome = 'reversed' OR
                                        outcome = 'authorized'),
  provider_ref  TEXT NOT NULL,
  amount_minor  INTEGER,
  currency      TEXT,
  answer_code   TEXT NOT NULL,
  answer        BLOB NOT NULL,
  action_url    TEXT NOT NULL,
  misfit        TEXT NOT NULL,
  body          BLOB NOT NULL,
  tries         INTEGER NOT NULL CHECK (tries >= 0),
  due_at        INTEGER,
  received_at   INTEGER NOT NULL,
  -- Of a line of a statement: the statement's day, and what the provider kept.
  statement_day TEXT,
  fee_minor     INTEGER,
  fee_currency  TEXT,
  PRIMARY KEY (provider, event_id),
  CONSTRAINT amount_has_currency CHECK ((amount_minor IS NULL) = (currency IS NULL)),
  CONSTRAINT fee_is_of_a_statement
    CHECK ((fee_minor IS NULL) = (fee_currency IS NULL) AND (fee_minor IS NULL OR statement_day IS NOT NULL)),
  -- A message whose payment we do not know yet is tried again until we do.
  CONSTRAINT unmatched_is_tried_again CHECK ((disposition = 'unmatched') = (due_at IS NOT NULL))
) STRICT;

CREATE INDEX webhook_events_of_number ON processed_webhook_events (number);
CREATE INDEX webhook_events_due ON processed_webhook_events (due_at) WHERE due_at IS NOT NULL;

-- The statements of providers that have been held against the books, as they were read last.
CREATE TABLE statements (
  provider    TEXT NOT NULL,
  day         TEXT NOT NULL CHECK (length(day) = 10),
  digest_hex  TEXT NOT NULL CHECK (length(digest_hex) = 64),
  lines       INTEGER NOT NULL CHECK (lines >= 0),
  imported_at INTEGER NOT NULL,
  PRIMARY KEY (provider, day)
) STRICT, WITHOUT ROWID;

-- Differences between statements and the books, for a person.
CREATE TABLE discrepancies (
  discrepancy_id TEXT NOT NULL,
  merchant_id    TEXT NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('unknown', 'differs', 'changed', 'missing')),
  provider       TEXT NOT NULL,
  day            TEXT NOT NULL,
  subject        TEXT NOT NULL,
  number         TEXT NOT NULL,
  amount_minor   INTEGER NOT NULL,
  currency       TEXT NOT NULL CHECK (length(currency) = 3),
  text           TEXT NOT NULL,
  found_at       INTEGER NOT NULL,
  resolved_at    INTEGER,
  resolved_by    TEXT NOT NULL,
  note           TEXT NOT NULL,
  PRIMARY KEY (merchant_id, discrepancy_id),
  CONSTRAINT resolved_by_somebody CHECK ((resolved_at IS NULL) = (resolved_by = ''))
) STRICT, WITHOUT ROWID;

CREATE INDEX discrepancies_open ON discrepancies (merchant_id, found_at) WHERE resolved_at IS NULL;

-- Each consequence exists once per attempt, refund (empty: it follows from the payment) and name. Rows are short and
-- written in the order of their attempts.
CREATE TABLE effects (
  attempt_row  INTEGER NOT NULL REFERENCES payment_attempts DEFERRABLE INITIALLY DEFERRED,
  refund_id    TEXT NOT NULL,
  name         TEXT NOT NULL,
  merchant_id  TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state = 'PENDING' OR state = 'DELIVERED' OR state = 'DEAD'),
  tries        INTEGER NOT NULL CHECK (tries >= 0),
  due_at       INTEGER,
  created_at   INTEGER NOT NULL,
  delivered_at INTEGER,
  last_error   TEXT NOT NULL,
  PRIMARY KEY (attempt_row, refund_id, name),
  CONSTRAINT delivered_has_time CHECK (state <> 'DELIVERED' OR delivered_at IS NOT NULL),
  CONSTRAINT pending_is_due
    CHECK ((due_at IS NOT NULL AND state = 'PENDING') OR (due_at IS NULL AND state <> 'PENDING'))
) STRICT, WITHOUT ROWID;

-- By merchant and name, as they are taken, so that no broken receiver holds the others up.
CREATE INDEX effects_due ON effects (merchant_id, name, due_at) WHERE state = 'PENDING';
CREATE INDEX effects_dead ON effects (merchant_id, created_at) WHERE state = 'DEAD';

-- Hashes only: whoever reads this table can't call the service.
CREATE TABLE api_keys (
  merchant_id TEXT NOT NULL,
  hash_hex    TEXT NOT NULL UNIQUE CHECK (length(hash_hex) = 64),
  name        TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  revoked_at  INTEGER,
  PRIMARY KEY (merchant_id, hash_hex)
) STRICT, WITHOUT ROWID;

-- A live key is known by its name when it is to be revoked.
CREATE UNIQUE INDEX one_live_api_key_of_a_name ON api_keys (merchant_id, name) WHERE revoked_at IS NULL;

CREATE TABLE audit_log (
  sequence    INTEGER PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  actor       TEXT NOT NULL,
  action      TEXT NOT NULL,
  detail      TEXT NOT NULL,
  at          INTEGER NOT NULL
) STRICT;

CREATE INDEX audit_log_of_merchant ON audit_log (merchant_id);

CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_log_is_not_deleted BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
