"""What a program's panel answers over HTTP."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

PATIENCE_S = 120.0  # what is asked may be a program that only starts, on a busy machine


def answered(port: int, path: str, order: Any = None) -> Any:
    """Return what the panel answers, as JSON; None while it does not."""
    body = None if order is None else json.dumps(order).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return json.loads(refused.read())
    except OSError:
        return None
