"""What every address of the panel shares: how a request is read and in which form an answer leaves."""

from __future__ import annotations

import gzip
import logging
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
from flask import Flask, Response, abort, g, render_template, request
from msgspec.json import Decoder
from werkzeug.exceptions import HTTPException, NotFound, RequestEntityTooLarge

from controller.fault_report import place
from controller.refused import Later, Refused
from controller.sentences import say
from controller.typed import ready
from web_panel.serving.turns import TURNED_AWAY

COMPRESSED = ("text/html", "text/css", "text/javascript", "application/json", "image/svg+xml")
STYLE_COMMENT = re.compile(rb"/\*.*?\*/\s*", re.DOTALL)
STYLE_SPACE = re.compile(rb"\s*([{};])\s*")  # no text in a style has one of these beside a space
LEAST_BYTES = 500  # below that a compressed answer fits in no fewer packets

log = logging.getLogger(__name__)


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty request."""


T = TypeVar("T")
P = ParamSpec("P")


def takes(
    decoder: Decoder[T],
) -> Callable[[Callable[Concatenate[T, P], Response | None]], Callable[P, Response]]:
    """Hand a view the body of a POST, or the query of a GET, as ``decoder`` reads it; else 400 and one sentence.

    A view that returns None carries something out and has nothing to say of it: the answer is `Nothing`.
    """

    def decorate(view: Callable[Concatenate[T, P], Response | None]) -> Callable[P, Response]:
        @wraps(view)
        def answer(*args: P.args, **kwargs: P.kwargs) -> Response:
            said = view(_body(decoder) if request.method == "POST" else _query(decoder), *args, **kwargs)
            return as_json({}) if said is None else said

        return answer

    return decorate


def _body(decoder: Decoder[T]) -> T:
    try:
        return decoder.decode(request.get_data())
    except RecursionError:
        abort(400, say("The request cannot be read: it is nested too deeply."))
    except ValueError as error:  # of msgspec, or text that is not UTF-8
        abort(400, say("The request cannot be read: {error}.", error=str(error)))


def _query(decoder: Decoder[T]) -> T:
    for name, given in request.args.to_dict(flat=False).items():
        if len(given) > 1:
            abort(400, say("The address cannot be read: '{name}' appears more than once.", name=name))
    try:
        found: T = msgspec.convert(request.args.to_dict(), ready(decoder.type), strict=False)
    except msgspec.ValidationError as error:
        abort(400, say("The address cannot be read: {error}.", error=str(error)))
    return found


def as_json(value: Any) -> Response:
    """Return ``value`` as a JSON answer, in the client's language."""
    return Response(msgspec.json.encode(value, enc_hook=g.spoken), mimetype="application/json")


def as_svg(drawn: str | bytes) -> Response:
    """Return a picture as the answer."""
    return Response(drawn, mimetype="image/svg+xml")


def as_error(sentence: str, status: int) -> Response:
    """Return one sentence as the answer to what could not be done."""
    response = as_json({"error": sentence})
    response.status_code = status
    return response


def tell_errors(app: Flask) -> None:
    """Let every refusal of ``app`` leave as one sentence."""

    def refused(refusal: Refused) -> Response:
        return as_error(str(refusal), 409)

    def later(refusal: Later) -> Response:
        return as_error(str(refusal), 429)

    def failed(error: HTTPException) -> Response:
        if error.code == 404 and not request.path.startswith("/api/") and request.accept_mimetypes.accept_html:
            known = error.description != NotFound.description
            sentence = error.description if known else say("There is no page at this address.")
            return Response(render_template("no_page.html", sentence=sentence), status=404)
        return as_error(error.description or error.name, error.code or 500)

    def too_large(_: RequestEntityTooLarge) -> Response:
        most = request.max_content_length or 0
        return as_error(say("This is too large: the limit here is {size} kB.", size=most // 1024), 413)

    def broken(error: Exception) -> Response:
        log.exception("an internal error, at %s", request.path)
        told = say("an internal error ({error})", error=place(error))
        return as_error(say("There was {fault}.", fault=told), 500)

    @app.before_request
    def turn_away() -> None:
        if TURNED_AWAY in request.environ:
            raise Later(say("Too many requests for this at the moment: try again shortly."))

    app.register_error_handler(Exception, broken)
    app.register_error_handler(Refused, refused)
    app.register_error_handler(Later, later)
    app.register_error_handler(RequestEntityTooLarge, too_large)
    app.register_error_handler(HTTPException, failed)


def _tightened(plain: bytes, mimetype: str) -> bytes:
    """Return a style without what only its readers need."""
    return STYLE_SPACE.sub(rb"\1", STYLE_COMMENT.sub(b"", plain)) if mimetype == "text/css" else plain


def compress(app: Flask) -> None:
    """Let text leave ``app`` compressed, and styles tightened, where the browser can read that; no stream."""

    @app.after_request
    def shrink(response: Response) -> Response:
        if response.status_code != 200 or response.mimetype not in COMPRESSED or "Range" in request.headers:
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"] > 0 and request.method == "GET":
            response.direct_passthrough = False
            plain = response.get_data()
            if len(plain) >= LEAST_BYTES:
                response.set_data(gzip.compress(_tightened(plain, response.mimetype), 9, mtime=0))
                response.headers["Content-Encoding"] = "gzip"
        return response
