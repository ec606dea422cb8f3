"""A process that writes to push services, `python -m controller.notices.push`: a job on its input, on its output what
became of it.

It is a process of its own, since what it needs is large, and since a push service that hangs then holds nobody else.
Needs the extra 'push'.
"""

from __future__ import annotations

import base64
import email.utils
import sys
import time
from typing import Any

import msgspec

from controller.limited_process import Limits, limit
from controller.notices.letters import Became, Done, Job, Keys, Letter
from controller.typed import ready

LIMITS = Limits()
CONNECT_S = 10.0
TTL_S = 7 * 24 * 3600  # for which a push service keeps a notice for a phone that is switched off
TOPIC = "turn"  # a later notice takes the place of one that the phone has not got yet
PADDED = 512  # bytes of every notice, so that its length tells nothing
LETTERS_OF_WHY = 200


def done(job: Job) -> Done:
    """Return what became of ``job``."""
    if not job.keys.private:
        return Done(keys=made_keys())
    return Done(became=tuple(posted(letter, job) for letter in job.letters))


def made_keys() -> Keys:
    """Return fresh keys."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    private = ec.generate_private_key(ec.SECP256R1())
    number = private.private_numbers().private_value.to_bytes(32, "big")
    point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return Keys(_written(number), _written(point))


def posted(letter: Letter, job: Job) -> Became:
    """Send one letter."""
    import requests
    from pywebpush import WebPushException, webpush

    session = requests.Session()
    session.max_redirects = 0  # a notice goes where the browser said, and nowhere else
    try:
        webpush(
            {"endpoint": letter.endpoint, "keys": {"p256dh": letter.p256dh, "auth": letter.auth}},
            letter.text.encode().ljust(PADDED),
            vapid_private_key=job.keys.private,
            vapid_claims={"sub": job.contact},
            ttl=TTL_S,
            headers={"Topic": TOPIC, "Urgency": "normal"},
            timeout=(CONNECT_S, job.answer_s),
            requests_session=session,
        )
    except WebPushException as wrong:
        return _answered(wrong.response) if wrong.response is not None else Became("refused", _short(wrong))
    except requests.RequestException as wrong:
        return _failed(wrong)
    except Exception as wrong:  # noqa: BLE001  whatever a library raises of strange keys: the other letters go out
        return Became("refused", _short(wrong))
    return Became("sent")


def _answered(response: Any) -> Became:
    """Return what an answer other than 201 and 202 means."""
    status, why = response.status_code, f"{response.status_code} {response.text[:LETTERS_OF_WHY]}".strip()
    if status in (404, 410):
        return Became("gone", why)
    if status == 429 or status >= 500:
        return Became("later", why, _seconds(response.headers.get("Retry-After", "")))
    return Became("refused", why)


def _failed(wrong: Exception) -> Became:
    """Return what it means that there was no answer: whether the notice was sent at all."""
    import requests
    from urllib3.exceptions import NewConnectionError

    reason = getattr(wrong.args[0], "reason", None) if wrong.args else None
    never_sent = isinstance(wrong, requests.ConnectTimeout | requests.exceptions.SSLError)
    if never_sent or isinstance(reason, NewConnectionError):
        return Became("later", _short(wrong))
    if isinstance(wrong, requests.Timeout | requests.ConnectionError):
        return Became("unknown", _short(wrong))
    return Became("refused", _short(wrong))


def _seconds(retry_after: str) -> float | None:
    """Return the seconds of a ``Retry-After``, which may be a date; None where it says nothing that can be read."""
    try:
        return max(0.0, float(int(retry_after)))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _short(wrong: Exception) -> str:
    return f"{type(wrong).__name__}: {wrong}"[:LETTERS_OF_WHY]


def main() -> None:
    """Do the job on the standard input."""
    limit(LIMITS)
    sys.stdout.buffer.write(msgspec.json.encode(done(msgspec.json.decode(sys.stdin.buffer.read(), type=ready(Job)))))


if __name__ == "__main__":
    main()
