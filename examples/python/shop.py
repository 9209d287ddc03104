"""A complete back end of a shop that is paid through payonce: orders, checkout, effects. Standard library only.

    PAYONCE_URL=http://127.0.0.1:8080 PAYONCE_KEY=pok_... EFFECT_SECRET=whsec_... PORT=8092 python3 shop.py shop.sqlite

    curl -X POST localhost:8092/orders -d '{"item":"tea"}'     the order's number and where its buyer pays
    curl localhost:8092/orders/1                               whether it is shipped
    POST /ship                                                 payonce delivers the effect "ship" here
"""

import json
import os
import sqlite3
import sys
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "kit" / "python"))
from payonce_effects import ForgedEffect, read_effect  # noqa: E402

PAYONCE = os.environ["PAYONCE_URL"]
PRICES = {"tea": 12800, "cup": 6800}
SCHEMA = """
CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, item TEXT NOT NULL, shipped INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS payonce_effects (id TEXT PRIMARY KEY, effect TEXT NOT NULL, order_id TEXT NOT NULL);
"""


def payonce(method: str, path: str, body: dict) -> dict:
    headers = {"Authorization": f"Bearer {os.environ['PAYONCE_KEY']}", "Content-Type": "application/json"}
    request = urllib.request.Request(PAYONCE + path, json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def connect() -> sqlite3.Connection:
    return sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)


def place_order(item: str) -> dict:
    database = connect()
    number = database.execute("INSERT INTO orders (item) VALUES (?)", (item,)).lastrowid
    # The shop's own number is the order's name; both calls may be repeated.
    path = f"/v1/orders/{urllib.parse.quote(str(number))}"
    payonce("PUT", path, {"amount": PRICES[item], "currency": "CNY"})
    return {"order": number, "checkout": payonce("POST", path + "/checkout-tokens", {})["url"]}


def ship(effect: dict) -> None:
    database = connect()
    # The row that says "done" and what is done are one transaction; it waits for another one about the same effect.
    database.execute("BEGIN IMMEDIATE")
    try:
        data = effect["data"]
        row = (effect["id"], data["effect"], data["order_id"])
        if database.execute("INSERT OR IGNORE INTO payonce_effects VALUES (?, ?, ?)", row).rowcount == 1:
            database.execute("UPDATE orders SET shipped = shipped + 1 WHERE id = ?", (data["order_id"],))
        database.execute("COMMIT")
    except BaseException:
        database.execute("ROLLBACK")
        raise


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        number = self.path.removeprefix("/orders/")
        row = connect().execute("SELECT item, shipped FROM orders WHERE id = ?", (number,)).fetchone()
        self.answer(200 if row else 404, {"item": row[0], "shipped": row[1]} if row else {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/orders":
            item = json.loads(body).get("item")
            return self.answer(201, place_order(item)) if item in PRICES else self.answer(400, {})
        try:
            ship(read_effect([os.environ["EFFECT_SECRET"]], self.headers, body))
        except ForgedEffect as forged:
            return self.answer(401, {"error": str(forged)})
        self.answer(200, {})

    def answer(self, status: int, body: dict) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


connect().executescript(SCHEMA)
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Shop)
print(f"shop on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
