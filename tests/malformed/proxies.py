"""Proxies of the tests' own on loopback, as docs/afar.md has them: Caddy, and nginx."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.afar.brokers import free_port

START_S = 20.0
PLACES = (
    "build/proxies/usr/bin",
    "build/proxies/usr/sbin",
    "/usr/local/bin",
    "/usr/bin",
    "/usr/sbin",
    "/opt/homebrew/bin",
)


def found(name: str) -> str:
    """Return where a proxy lies."""
    path = shutil.which(name, path=":".join(PLACES))
    assert path, f"{name} is missing: `make night` fetches it on Debian, else install it"
    return str(Path(path).resolve())


@contextmanager
def caddy(folder: Path, behind: int) -> Iterator[int]:
    """Run Caddy in front of port ``behind``; yields its own."""
    port = free_port()
    config = folder / "Caddyfile"
    site = f"http://:{port} {{\n\tbind 127.0.0.1\n\treverse_proxy 127.0.0.1:{behind}\n}}\n"
    config.write_text("{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n}\n" + site)
    words = [found("caddy"), "run", "--config", str(config), "--adapter", "caddyfile"]
    with _running(words, folder, port):
        yield port


@contextmanager
def nginx(folder: Path, behind: int) -> Iterator[int]:
    """Run nginx in front of port ``behind``; yields its own."""
    port = free_port()
    config = folder / "nginx.conf"
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config.write_text(f"""
        daemon off; pid {folder}/pid; error_log {folder}/errors crit; {"user root;" if os.geteuid() == 0 else ""}
        events {{ worker_connections 400; }}
        http {{ access_log off; {paths}
          server {{ listen 127.0.0.1:{port};
            location / {{ proxy_pass http://127.0.0.1:{behind}; proxy_http_version 1.1; proxy_buffering off;
              proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr; }} }} }}
    """)
    with _running([found("nginx"), "-p", str(folder), "-c", str(config)], folder, port):
        yield port


@contextmanager
def _running(words: list[str], folder: Path, port: int) -> Iterator[None]:
    home = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log, env=home)
        try:
            _wait(port, process, folder)
            yield
            told = (folder / "proxy.log").read_text(errors="replace")
            assert process.poll() is None, f"the proxy has ended: {told[-2000:]}"
        finally:
            process.terminate()
            process.wait(10)


def _wait(port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    end_s = time.monotonic() + START_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            told = (folder / "proxy.log").read_text(errors="replace")
            assert process.poll() is None, f"the proxy does not start: {told}"
            assert time.monotonic() < end_s, f"the proxy does not answer: {told}"
        else:
            return
