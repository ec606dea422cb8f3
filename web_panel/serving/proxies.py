"""From where a request comes that a proxy in front hands on.

Nobody's does by default: who says that it comes from elsewhere would get limits of its own as often as it likes.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import TYPE_CHECKING

from werkzeug.middleware.proxy_fix import ProxyFix

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HOME_NET_V6 = 64  # bits that are the same for all addresses of one home on the internet, of which it has without end


class NoProxy:
    """Every request comes from where its line does."""

    def trusts(self, peer: str) -> bool:
        """Whether ``peer`` is a proxy."""
        return False

    def behind(self, app: WSGIApplication) -> WSGIApplication:
        """Return ``app`` so that it learns where requests come from."""
        return app


class LocalProxy(NoProxy):
    """A proxy on this machine says where its requests come from, by the last entry of X-Forwarded-For, and whether they
    came by https. With ``homes`` all addresses of IPv6 that one home has count as one.
    """

    def __init__(self, homes: bool = False) -> None:
        self._homes = homes

    def trusts(self, peer: str) -> bool:
        """Whether ``peer`` is this machine."""
        return ipaddress.ip_address(peer.partition("%")[0]).is_loopback

    def behind(self, app: WSGIApplication) -> WSGIApplication:
        """Return ``app`` so that it learns where requests come from."""

        def told(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            environ["REMOTE_ADDR"] = self._origin(environ)
            return app(environ, start_response)

        fixed = ProxyFix(told, x_for=1, x_proto=1)

        def asked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            answer = fixed if self.trusts(environ["REMOTE_ADDR"]) else told
            return answer(environ, start_response)

        return asked

    def _origin(self, environ: WSGIEnvironment) -> str:
        """Return the address from which a request comes; that of its line where the proxy names none."""
        line = environ.get("werkzeug.proxy_fix.orig", environ)["REMOTE_ADDR"]
        try:
            address = ipaddress.ip_address(environ["REMOTE_ADDR"])
        except ValueError:
            return str(line)
        if self._homes and address.version == 6 and not address.is_loopback:
            return str(ipaddress.ip_network((address, HOME_NET_V6), strict=False))
        return str(address)
