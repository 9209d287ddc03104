-- The books of payonce. Constraints repeat the rules of src/payment, so that a bug above them can't charge twice.
-- Times are milliseconds since 1970, money is in minor units. What was sent and received is kept as BYTEA: any bytes fit.
-- Keys and ids compare byte by byte, whatever collation the database has: those that differ in case or trailing blanks
-- are different, and their order is the one in which the service sorts them before it locks.
-- Every primary key begins with the merchant, so that the tables can be spread by merchant. Exceptions are what has to be
-- unique among all merchants: numbers that a provider names, its messages, and the hashes of API keys.
-- A session plans once, and for small tables all indexes look alike: one that begins with the merchant and goes on with
-- something else than what is asked for would do, and read all of the merchant's rows. So where a table has two indexes
-- that differ behind the merchant, one of them says POSIX, which is another name of C, and serves only the statements
-- that say so too.

-- Rules about one column are domains where rows are written often: a session prepares the check of a domain once, but
-- that of a table anew with each statement, which then costs more than a row.
CREATE DOMAIN positive_minor AS BIGINT CHECK (VALUE > 0);
CREATE DOMAIN tally AS INTEGER CHECK (VALUE >= 0);
CREATE DOMAIN currency_code AS TEXT COLLATE "C" CHECK (length(VALUE) = 3);
CREATE DOMAIN order_policy AS TEXT COLLATE "C" CHECK (VALUE IN ('single', 'split'));
CREATE DOMAIN capture_mode AS TEXT COLLATE "C" CHECK (VALUE IN ('automatic', 'manual'));
CREATE DOMAIN order_state AS TEXT COLLATE "C" CHECK (VALUE IN ('OPEN', 'PAID', 'CLOSED'));
CREATE DOMAIN attempt_state AS TEXT COLLATE "C"
  CHECK (VALUE IN ('PROCESSING', 'SUCCEEDED', 'REQUIRES_ACTION', 'UNKNOWN', 'RELEASED', 'FAILED', 'CANCELED', 'DISPUTED',
                   'REVERSED', 'AUTHORIZED'));
CREATE DOMAIN refund_state AS TEXT COLLATE "C"
  CHECK (VALUE IN ('R_PROCESSING', 'R_UNKNOWN', 'R_SUCCEEDED', 'R_FAILED', 'R_RETURNED'));
CREATE DOMAIN refund_origin AS TEXT COLLATE "C" CHECK (VALUE IN ('request', 'surplus', 'outside'));
CREATE DOMAIN capture_state AS TEXT COLLATE "C"
  CHECK (VALUE IN ('C_PROCESSING', 'C_UNKNOWN', 'C_SUCCEEDED', 'C_FAILED'));
CREATE DOMAIN evidence_kind AS TEXT COLLATE "C"
  CHECK (VALUE IN ('response', 'query', 'notice', 'statement', 'operator'));
CREATE DOMAIN notice_disposition AS TEXT COLLATE "C" CHECK (VALUE IN ('applied', 'misfit', 'unmatched', 'foreign'));
CREATE DOMAIN notice_outcome AS TEXT COLLATE "C"
  CHECK (VALUE IN ('succeeded', 'declined', 'pending', 'requires_action', 'not_found', 'in_doubt', 'not_sent',
                   'dispute_opened', 'dispute_won', 'dispute_lost', 'reversed', 'authorized'));
CREATE DOMAIN effect_state AS TEXT COLLATE "C" CHECK (VALUE IN ('PENDING', 'DELIVERED', 'DEAD'));

-- Statements that must find all their rows end in this, so that they fail before the commit that travels with them.
CREATE FUNCTION refuse_unless_all(changed BIGINT, wanted BIGINT, what TEXT) RETURNS VOID
LANGUAGE plpgsql AS $$
BEGIN
  IF changed <> wanted THEN
    RAISE EXCEPTION 'only % of % % were there with these fixed fields to be written', changed, wanted, what
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
END
$$;

CREATE FUNCTION refuse_change() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TABLE orders (
  merchant_id  TEXT COLLATE "C" NOT NULL,
  order_id     TEXT COLLATE "C" NOT NULL,
  amount_minor positive_minor NOT NULL,
  currency     currency_code NOT NULL,
  policy       order_policy NOT NULL,
  state        order_state NOT NULL,
  paid_minor   BIGINT NOT NULL,
  held_minor   BIGINT NOT NULL,
  metadata     TEXT NOT NULL,
  created_at   BIGINT NOT NULL,
  updated_at   BIGINT NOT NULL,
  expires_at   BIGINT,
  -- When payonce looks at it next, to close what has expired.
  due_at       BIGINT,
  -- Of all its payments; fixed with the order.
  capture      capture_mode NOT NULL,
  PRIMARY KEY (merchant_id, order_id),
  -- What is captured and what may still be captured never exceed what the buyer owes.
  CONSTRAINT paid_and_held_within_amount
    CHECK (paid_minor >= 0 AND held_minor >= 0 AND paid_minor + held_minor <= amount_minor),
  -- An order is called paid only over money in the books.
  CONSTRAINT paid_has_money CHECK (state <> 'PAID' OR paid_minor > 0),
  -- An open order that expires is not forgotten.
  CONSTRAINT expiry_is_watched CHECK ((state = 'OPEN' AND expires_at IS NOT NULL) = (due_at IS NOT NULL))
) WITH (fillfactor = 70);  -- an order changes a few times soon after its birth, and no index sees it

CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE payment_attempts (
  merchant_id      TEXT COLLATE "C" NOT NULL,
  order_id         TEXT COLLATE "C" NOT NULL,
  attempt_id       TEXT COLLATE "C" NOT NULL,
  policy           order_policy NOT NULL,
  idempotency_key  TEXT COLLATE "C" NOT NULL,
  fingerprint      TEXT COLLATE "C" NOT NULL,
  provider         TEXT COLLATE "C" NOT NULL,
  method           TEXT NOT NULL,
  amount_minor     positive_minor NOT NULL,
  currency         currency_code NOT NULL,
  metadata         TEXT NOT NULL,
  state            attempt_state NOT NULL,
  captured_minor   positive_minor,
  surplus          BOOLEAN NOT NULL,
  exposed          BOOLEAN NOT NULL,
  cancel_requested BOOLEAN NOT NULL,
  review           TEXT NOT NULL,
  request          BYTEA NOT NULL,
  provider_ref     TEXT NOT NULL,
  action_url       TEXT NOT NULL,
  evidence         evidence_kind,
  answer_code      TEXT NOT NULL,
  answer           BYTEA NOT NULL,
  tries            tally NOT NULL,
  due_at           BIGINT,
  first_sent_at    BIGINT,
  expires_at       BIGINT NOT NULL,
  created_at       BIGINT NOT NULL,
  updated_at       BIGINT NOT NULL,
  settled_at       BIGINT,
  -- Which part of a split order it pays; empty for the whole of a single one.
  part             TEXT COLLATE "C" NOT NULL CHECK (part = '' OR policy = 'split'),
  disputes         tally NOT NULL,
  PRIMARY KEY (merchant_id, order_id, attempt_id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders,
  -- Unique by itself: a provider names nothing else.
  UNIQUE (attempt_id),
  -- No later news takes a success back: what was captured never gets less (update_attempts) and keeps the state. Of a
  -- hold something may be captured before the payment is complete, and in the end less than all.
  CONSTRAINT captured_is_succeeded
    CHECK (((state IN ('SUCCEEDED', 'DISPUTED', 'REVERSED')) = (captured_minor IS NOT NULL) OR state = 'AUTHORIZED') AND
           (captured_minor IS NULL OR captured_minor <= amount_minor)),
  -- Money that may have moved is never called a failure: failing needs the provider's stored answer.
  CONSTRAINT failed_has_answer CHECK (state <> 'FAILED' OR answer_code <> '' OR length(answer) > 0),
  -- Nothing unresolved is forgotten, and nothing resolved is asked about again.
  CONSTRAINT watched_until_ended
    CHECK ((state IN ('PROCESSING', 'REQUIRES_ACTION', 'UNKNOWN', 'RELEASED', 'AUTHORIZED')) = (due_at IS NOT NULL)),
  -- An attempt ends only on evidence.
  CONSTRAINT ended_has_evidence CHECK (due_at IS NOT NULL OR (evidence IS NOT NULL AND settled_at IS NOT NULL)),
  -- Surplus is money that came.
  CONSTRAINT surplus_is_money CHECK (NOT surplus OR captured_minor IS NOT NULL)
);

-- At most one attempt of an order, or of a part of a split one, is live or has paid it.
CREATE UNIQUE INDEX one_live_or_paid_attempt ON payment_attempts (merchant_id, order_id, part)
  WHERE NOT surplus AND state IN ('PROCESSING', 'SUCCEEDED', 'REQUIRES_ACTION', 'UNKNOWN', 'AUTHORIZED', 'DISPUTED',
                                  'REVERSED');

-- A key belongs to one attempt, for ever.
CREATE UNIQUE INDEX one_attempt_of_a_key ON payment_attempts (idempotency_key, merchant_id COLLATE "POSIX");
CREATE INDEX attempts_due ON payment_attempts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX attempts_unknown ON payment_attempts (created_at) WHERE state = 'UNKNOWN';
CREATE INDEX attempts_in_review ON payment_attempts (merchant_id, attempt_id) WHERE review <> '';

-- What was promised to the caller and to the provider does not change behind their backs. The service never names these
-- columns in an update, so this costs it nothing.
CREATE TRIGGER attempt_is_fixed
BEFORE UPDATE OF merchant_id, order_id, attempt_id, policy, idempotency_key, fingerprint, provider, method, amount_minor,
                 currency, created_at, part ON payment_attempts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('number, key, amount and provider of an attempt never change');

CREATE TABLE refunds (
  merchant_id  TEXT COLLATE "C" NOT NULL,
  order_id     TEXT COLLATE "C" NOT NULL,
  refund_id    TEXT COLLATE "C" NOT NULL,
  attempt_id   TEXT COLLATE "C" NOT NULL,
  -- NULL unless it was asked for here.
  idempotency_key TEXT COLLATE "C" CHECK (idempotency_key <> ''),
  reason       TEXT NOT NULL,
  amount_minor positive_minor NOT NULL,
  currency     currency_code NOT NULL,
  state        refund_state NOT NULL,
  review       TEXT NOT NULL,
  request      BYTEA NOT NULL,
  provider_ref TEXT NOT NULL,
  evidence     evidence_kind,
  answer_code  TEXT NOT NULL,
  answer       BYTEA NOT NULL,
  tries        tally NOT NULL,
  due_at       BIGINT,
  created_at   BIGINT NOT NULL,
  updated_at   BIGINT NOT NULL,
  origin       refund_origin NOT NULL,
  PRIMARY KEY (merchant_id, order_id, refund_id),
  -- Unique by itself, as the attempt's number is.
  UNIQUE (refund_id),
  FOREIGN KEY (merchant_id, order_id, attempt_id) REFERENCES payment_attempts,
  CONSTRAINT refund_watched_until_ended CHECK ((state IN ('R_PROCESSING', 'R_UNKNOWN')) = (due_at IS NOT NULL)),
  CONSTRAINT refund_ended_has_evidence CHECK (due_at IS NOT NULL OR evidence IS NOT NULL),
  CONSTRAINT asked_for_has_key CHECK ((origin = 'request') = (idempotency_key IS NOT NULL))
);

-- A key belongs to one refund, for ever.
CREATE UNIQUE INDEX one_refund_of_a_key ON refunds (idempotency_key, merchant_id COLLATE "POSIX");
-- Surplus money is given back once.
CREATE UNIQUE INDEX one_surplus_refund ON refunds (merchant_id, attempt_id) WHERE origin = 'surplus';
CREATE INDEX refunds_due ON refunds (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX refunds_in_review ON refunds (merchant_id, attempt_id) WHERE review <> '';

-- Refunds that are live or done never exceed what was captured. Nothing but surplus goes back by itself. The
-- attempt is locked first: of two refunds at once, the second one counts the first.
CREATE FUNCTION check_refunds_of_attempt() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
  paid payment_attempts;
BEGIN
  SELECT * INTO STRICT paid FROM payment_attempts AS a
  WHERE a.merchant_id = NEW.merchant_id AND a.order_id = NEW.order_id AND a.attempt_id = NEW.attempt_id
  FOR NO KEY UPDATE;
  IF paid.captured_minor IS NULL OR paid.currency <> NEW.currency OR (NEW.origin = 'surplus' AND NOT paid.surplus)
     OR paid.captured_minor < (SELECT sum(r.amount_minor) FROM refunds AS r
                               WHERE r.merchant_id = NEW.merchant_id AND r.order_id = NEW.order_id
                                 AND r.attempt_id = NEW.attempt_id AND r.state NOT IN ('R_FAILED', 'R_RETURNED')) THEN
    RAISE EXCEPTION 'refunds exceed what was captured'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refund_within_captured';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER refund_within_captured AFTER INSERT ON refunds
FOR EACH ROW WHEN (NEW.state NOT IN ('R_FAILED', 'R_RETURNED')) EXECUTE FUNCTION check_refunds_of_attempt();

-- A refund that failed and then did happen takes its share again.
CREATE TRIGGER refund_still_within_captured AFTER UPDATE OF state ON refunds
FOR EACH ROW WHEN (OLD.state = 'R_FAILED' AND NEW.state <> 'R_FAILED') EXECUTE FUNCTION check_refunds_of_attempt();

CREATE TRIGGER refund_succeeded_is_final BEFORE UPDATE OF state ON refunds
FOR EACH ROW WHEN ((OLD.state = 'R_SUCCEEDED' AND NEW.state NOT IN ('R_SUCCEEDED', 'R_RETURNED'))
                   OR (OLD.state = 'R_RETURNED' AND NEW.state <> 'R_RETURNED'))
EXECUTE FUNCTION refuse_change('a succeeded refund is not undone but by the return of the money');

CREATE TRIGGER refund_is_fixed
BEFORE UPDATE OF merchant_id, order_id, refund_id, attempt_id, idempotency_key, reason, amount_minor, currency,
                 created_at, origin ON refunds
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('number, attempt and amount of a refund never change');

CREATE TABLE captures (
  merchant_id  TEXT COLLATE "C" NOT NULL,
  order_id     TEXT COLLATE "C" NOT NULL,
  capture_id   TEXT COLLATE "C" NOT NULL,
  attempt_id   TEXT COLLATE "C" NOT NULL,
  -- NULL when it was made at the provider without payonce.
  idempotency_key TEXT COLLATE "C" CHECK (idempotency_key <> ''),
  amount_minor positive_minor NOT NULL,
  currency     currency_code NOT NULL,
  is_final     BOOLEAN NOT NULL,
  state        capture_state NOT NULL,
  request      BYTEA NOT NULL,
  provider_ref TEXT NOT NULL,
  evidence     evidence_kind,
  answer_code  TEXT NOT NULL,
  answer       BYTEA NOT NULL,
  tries        tally NOT NULL,
  due_at       BIGINT,
  created_at   BIGINT NOT NULL,
  updated_at   BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, order_id, capture_id),
  -- Unique by itself, as the attempt's number is.
  UNIQUE (capture_id),
  FOREIGN KEY (merchant_id, order_id, attempt_id) REFERENCES payment_attempts,
  CONSTRAINT capture_watched_until_ended CHECK ((state IN ('C_PROCESSING', 'C_UNKNOWN')) = (due_at IS NOT NULL)),
  CONSTRAINT capture_ended_has_evidence CHECK (due_at IS NOT NULL OR evidence IS NOT NULL)
);

-- A key belongs to one capture, for ever.
CREATE UNIQUE INDEX one_capture_of_a_key ON captures (idempotency_key, merchant_id COLLATE "POSIX");
-- Captures of a payment come one after the other.
CREATE UNIQUE INDEX one_capture_under_way ON captures (merchant_id, order_id, attempt_id)
  WHERE state IN ('C_PROCESSING', 'C_UNKNOWN');
CREATE INDEX captures_due ON captures (due_at) WHERE due_at IS NOT NULL;

-- Captures that are live or done never exceed what is held. The attempt is locked first: of two captures at once, the
-- second one counts the first.
CREATE FUNCTION check_captures_of_attempt() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
  held payment_attempts;
BEGIN
  SELECT * INTO STRICT held FROM payment_attempts AS a
  WHERE a.merchant_id = NEW.merchant_id AND a.order_id = NEW.order_id AND a.attempt_id = NEW.attempt_id
  FOR NO KEY UPDATE;
  IF held.currency <> NEW.currency
     OR held.amount_minor < (SELECT sum(c.amount_minor) FROM captures AS c
                             WHERE c.merchant_id = NEW.merchant_id AND c.order_id = NEW.order_id
                               AND c.attempt_id = NEW.attempt_id AND c.state <> 'C_FAILED') THEN
    RAISE EXCEPTION 'captures exceed what is held'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'capture_within_held';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER capture_within_held AFTER INSERT ON captures
FOR EACH ROW WHEN (NEW.state <> 'C_FAILED') EXECUTE FUNCTION check_captures_of_attempt();

-- A capture that failed and then did happen takes its share again.
CREATE TRIGGER capture_still_within_held AFTER UPDATE OF state ON captures
FOR EACH ROW WHEN (OLD.state = 'C_FAILED' AND NEW.state <> 'C_FAILED') EXECUTE FUNCTION check_captures_of_attempt();

CREATE TRIGGER capture_succeeded_is_final BEFORE UPDATE OF state ON captures
FOR EACH ROW WHEN (OLD.state = 'C_SUCCEEDED' AND NEW.state <> 'C_SUCCEEDED')
EXECUTE FUNCTION refuse_change('a succeeded capture is not undone');

CREATE TRIGGER capture_is_fixed
BEFORE UPDATE OF merchant_id, order_id, capture_id, attempt_id, idempotency_key, amount_minor, currency, is_final,
                 created_at ON captures
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('number, attempt and amount of a capture never change');

-- The timeline and the event feed. How the sequence is made: insert_events.sql.
CREATE TABLE attempt_events (
  merchant_id TEXT COLLATE "C" NOT NULL,
  sequence    BIGINT NOT NULL,
  order_id    TEXT COLLATE "C" NOT NULL,
  attempt_id  TEXT COLLATE "C" NOT NULL,
  refund_id   TEXT COLLATE "C" NOT NULL,
  type        TEXT NOT NULL,
  from_state  TEXT NOT NULL,
  to_state    TEXT NOT NULL,
  evidence    evidence_kind,
  actor       TEXT NOT NULL,
  code        TEXT NOT NULL,
  text        TEXT NOT NULL,
  at          BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, sequence)
);

CREATE INDEX events_of_order ON attempt_events (merchant_id COLLATE "POSIX", order_id, sequence);

-- One row: what is added to transaction ids, so that sequences go on growing when the data moves to another server.
CREATE TABLE event_feed (
  only_row        BOOLEAN PRIMARY KEY CHECK (only_row),
  sequence_offset BIGINT NOT NULL CHECK (sequence_offset >= 0)
);
INSERT INTO event_feed (only_row, sequence_offset) VALUES (true, 0);

-- Orders whose history, up to that time, stands in the archive: requests, answers and notices in full, and the timeline.
-- The order itself stays here with its payments, keys, numbers and sums.
CREATE TABLE archived_orders (
  merchant_id TEXT COLLATE "C" NOT NULL,
  order_id    TEXT COLLATE "C" NOT NULL,
  archived_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, order_id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders
);

-- What happened stays as it was told, here or in the archive.
CREATE TRIGGER events_are_not_changed BEFORE UPDATE OR TRUNCATE ON attempt_events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the timeline is append-only');

CREATE FUNCTION refuse_unless_archived() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM archived_orders AS a
                 WHERE a.merchant_id = OLD.merchant_id AND a.order_id = OLD.order_id) THEN
    RAISE EXCEPTION 'the timeline is append-only' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN OLD;
END
$$;

CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON attempt_events
FOR EACH ROW EXECUTE FUNCTION refuse_unless_archived();

-- The books in the sense of an accountant: every movement of money from one account to another, written with the state
-- that it follows from. One row names both sides, so that the books always balance.
CREATE TABLE journal (
  merchant_id  TEXT COLLATE "C" NOT NULL,
  entry        BIGINT GENERATED ALWAYS AS IDENTITY,
  order_id     TEXT COLLATE "C" NOT NULL,
  attempt_id   TEXT COLLATE "C" NOT NULL,
  refund_id    TEXT COLLATE "C" NOT NULL,
  debit        TEXT COLLATE "C" NOT NULL,
  credit       TEXT COLLATE "C" NOT NULL,
  amount_minor positive_minor NOT NULL,
  currency     currency_code NOT NULL,
  at           BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, order_id, entry),
  CONSTRAINT two_sides CHECK (debit <> credit)
);

CREATE INDEX journal_of_day ON journal (merchant_id COLLATE "POSIX", at);

CREATE TRIGGER journal_is_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the journal is append-only');

-- A provider's message counts once, whoever brings it: its key is the provider's, not the merchant's.
CREATE TABLE processed_webhook_events (
  provider      TEXT COLLATE "C" NOT NULL,
  event_id      TEXT COLLATE "C" NOT NULL,
  number        TEXT COLLATE "C" NOT NULL,
  refund_number TEXT COLLATE "C" NOT NULL,
  disposition   notice_disposition NOT NULL,
  outcome       notice_outcome NOT NULL,
  provider_ref  TEXT NOT NULL,
  amount_minor  BIGINT,
  currency      TEXT COLLATE "C",
  answer_code   TEXT NOT NULL,
  answer        BYTEA NOT NULL,
  action_url    TEXT NOT NULL,
  misfit        TEXT NOT NULL,
  body          BYTEA NOT NULL,
  tries         tally NOT NULL,
  due_at        BIGINT,
  received_at   BIGINT NOT NULL,
  -- Of a line of a statement: the statement's day, and what the provider kept.
  statement_day TEXT COLLATE "C",
  fee_minor     BIGINT,
  fee_currency  TEXT COLLATE "C",
  PRIMARY KEY (provider, event_id),
  CONSTRAINT amount_has_currency CHECK ((amount_minor IS NULL) = (currency IS NULL)),
  CONSTRAINT fee_is_of_a_statement
    CHECK ((fee_minor IS NULL) = (fee_currency IS NULL) AND (fee_minor IS NULL OR statement_day IS NOT NULL)),
  -- A message whose payment we do not know yet is tried again until we do.
  CONSTRAINT unmatched_is_tried_again CHECK ((disposition = 'unmatched') = (due_at IS NOT NULL))
);

CREATE INDEX webhook_events_of_number ON processed_webhook_events (number);
CREATE INDEX webhook_events_due ON processed_webhook_events (due_at) WHERE due_at IS NOT NULL;

-- The statements of providers that have been held against the books, as they were read last.
CREATE TABLE statements (
  provider    TEXT COLLATE "C" NOT NULL,
  day         TEXT COLLATE "C" NOT NULL CHECK (length(day) = 10),
  digest_hex  TEXT COLLATE "C" NOT NULL CHECK (length(digest_hex) = 64),
  lines       BIGINT NOT NULL CHECK (lines >= 0),
  imported_at BIGINT NOT NULL,
  PRIMARY KEY (provider, day)
);

-- Differences between statements and the books, for a person.
CREATE TABLE discrepancies (
  discrepancy_id TEXT COLLATE "C" NOT NULL,
  merchant_id    TEXT COLLATE "C" NOT NULL,
  kind           TEXT COLLATE "C" NOT NULL CHECK (kind IN ('unknown', 'differs', 'changed', 'missing')),
  provider       TEXT COLLATE "C" NOT NULL,
  day            TEXT COLLATE "C" NOT NULL,
  subject        TEXT COLLATE "C" NOT NULL,
  number         TEXT COLLATE "C" NOT NULL,
  amount_minor   BIGINT NOT NULL,
  currency       currency_code NOT NULL,
  text           TEXT NOT NULL,
  found_at       BIGINT NOT NULL,
  resolved_at    BIGINT,
  resolved_by    TEXT NOT NULL,
  note           TEXT NOT NULL,
  PRIMARY KEY (merchant_id, discrepancy_id),
  CONSTRAINT resolved_by_somebody CHECK ((resolved_at IS NULL) = (resolved_by = ''))
);

CREATE INDEX discrepancies_open ON discrepancies (merchant_id COLLATE "POSIX", found_at) WHERE resolved_at IS NULL;

-- Each consequence exists once per attempt, refund (empty: it follows from the payment) and name.
CREATE TABLE effects (
  merchant_id  TEXT COLLATE "C" NOT NULL,
  attempt_id   TEXT COLLATE "C" NOT NULL,
  refund_id    TEXT COLLATE "C" NOT NULL,
  name         TEXT COLLATE "C" NOT NULL,
  order_id     TEXT COLLATE "C" NOT NULL,
  state        effect_state NOT NULL,
  tries        tally NOT NULL,
  due_at       BIGINT,
  created_at   BIGINT NOT NULL,
  delivered_at BIGINT,
  last_error   TEXT NOT NULL,
  PRIMARY KEY (merchant_id, attempt_id, refund_id, name),
  FOREIGN KEY (merchant_id, order_id, attempt_id) REFERENCES payment_attempts,
  CONSTRAINT delivered_has_time CHECK (state <> 'DELIVERED' OR delivered_at IS NOT NULL),
  CONSTRAINT pending_is_due CHECK ((state = 'PENDING') = (due_at IS NOT NULL))
);

-- By merchant and name, as they are taken, so that no broken receiver holds the others up.
CREATE INDEX effects_due ON effects (merchant_id, name, due_at) WHERE state = 'PENDING';
CREATE INDEX effects_dead ON effects (merchant_id, created_at) WHERE state = 'DEAD';

-- Hashes only: whoever reads this table can't call the service.
CREATE TABLE api_keys (
  merchant_id TEXT COLLATE "C" NOT NULL,
  hash_hex    TEXT COLLATE "C" NOT NULL UNIQUE CHECK (length(hash_hex) = 64),
  name        TEXT COLLATE "C" NOT NULL,
  created_at  BIGINT NOT NULL,
  revoked_at  BIGINT,
  PRIMARY KEY (merchant_id, hash_hex)
);

-- A live key is known by its name when it is to be revoked.
CREATE UNIQUE INDEX one_live_api_key_of_a_name ON api_keys (merchant_id, name) WHERE revoked_at IS NULL;

CREATE TABLE audit_log (
  merchant_id TEXT COLLATE "C" NOT NULL,
  sequence    BIGINT GENERATED ALWAYS AS IDENTITY,
  actor       TEXT NOT NULL,
  action      TEXT NOT NULL,
  detail      TEXT NOT NULL,
  at          BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, sequence)
);

CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the audit log is append-only');
