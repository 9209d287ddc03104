"""Receives payonce's effects in a Python back end: checks who sent one, and does it once. Standard library only.

    effect = read_effect(secrets, request.headers, raw_body)
    with connection:
        once(connection, effect, lambda cursor: cursor.execute("UPDATE orders SET shipped = true WHERE id = %s", [...]))

Answer 2xx after that; anything else makes payonce send it again.
"""

import base64
import hashlib
import hmac
import json
import time

# Older or younger than this by its own time stamp is refused: somebody may have kept a copy.
TOLERANCE_S = 5 * 60


class ForgedEffect(Exception):
    """Answer 401."""


def _signature_fits(signed: bytes, secret: str, given: str) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # During a rotation there are several, one for each secret.
    return any(hmac.compare_digest(one, expected) for one in given.split(" "))


def read_effect(secrets: list[str], headers, body: bytes, now_s: float | None = None) -> dict:
    """`headers` is any mapping without regard to case; `body` the raw bytes, before any JSON parser."""
    effect_id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp")
    signature = headers.get("webhook-signature")
    if not effect_id or not timestamp or not signature:
        raise ForgedEffect("a webhook header is missing")
    now_s = time.time() if now_s is None else now_s
    if not timestamp.isdigit() or abs(now_s - int(timestamp)) > TOLERANCE_S:
        raise ForgedEffect("the time stamp is too old")
    signed = f"{effect_id}.{timestamp}.".encode() + body
    if not any(_signature_fits(signed, secret, signature) for secret in secrets):
        raise ForgedEffect("the signature does not fit")
    return {"id": effect_id, **json.loads(body)}


def once(connection, effect: dict, work) -> bool:
    """Runs work(cursor) unless this effect was done before, in one transaction with the row that says so.

    `connection` is one of psycopg (the table is in kit/README.md). Answers whether it was done now.
    """
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO payonce_effects (id, effect, order_id) VALUES (%s, %s, %s) ON CONFLICT (id) DO NOTHING",
            (effect["id"], effect["data"]["effect"], effect["data"]["order_id"]),
        )
        # A copy that came at the same moment waits in the INSERT until the first is committed or rolled back.
        if cursor.rowcount != 1:
            return False
        work(cursor)
        return True
