"""A PostgreSQL server of the benchmark's own, and what its processes have used."""

import os
import pathlib
import pwd
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAYONCE = os.environ.get("PAYONCE", str(ROOT / "build/release/payonce"))


def newest_postgres():
    """The folder of PostgreSQL's programs, Debian's newest."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda it: int(it.parent.name))
    if not found:
        sys.exit("bench: no PostgreSQL server; run tools/install-packages test")
    return found[-1]


def cpu_seconds_of(name):
    """User and system time of all processes with this name, and of their children that have ended."""
    total = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        if f"({name})" in text:
            fields = text.rsplit(")", 1)[1].split()
            total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def create_tables(url):
    """payonce's tables in a new database."""
    subprocess.run(
        [PAYONCE, "key", "create", "--merchant", "bench", "--name", "bench", "--database", url],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class Postgres:
    """A server with Debian's settings in a temporary folder, commits flushed."""

    def __init__(self, folder):
        self.programs = newest_postgres()
        self.folder = folder / "postgres"
        self.folder.mkdir()
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        data = str(self.folder / "data")
        self._run([self.programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"])
        self.process = subprocess.Popen(
            self._as_owner([self.programs / "postgres", "-D", data, "-p", str(self.port), "-k", str(self.folder)]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        ready = [self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(ready, check=False).returncode != 0:
            if self.process.poll() is not None:
                sys.exit("bench: PostgreSQL did not start")
            time.sleep(0.1)

    def _as_owner(self, command):
        if not self.user:
            return list(map(str, command))
        ids = [f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups"]
        return ["setpriv", "--pdeathsig=TERM", *ids, *map(str, command)]

    def _run(self, command):
        subprocess.run(self._as_owner(command), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self):
        self.process.send_signal(2)
        self.process.wait(30)

    def url(self, database):
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def create(self, database):
        """A fresh database with payonce's tables."""
        where = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres"]
        self._run([self.programs / "dropdb", *where, "--if-exists", database])
        self._run([self.programs / "createdb", *where, database])
        create_tables(self.url(database))

    def ask(self, database, sql):
        command = [self.programs / "psql", "-XAtq", "-c", sql, self.url(database)]
        return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout.strip()
