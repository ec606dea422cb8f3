"""The panel by https: with certificates that the board makes and renews, or with one that an owner brings.

Keys lie in files that the service's user alone reads; they are in no backup, no support bundle and no log.
"""

from __future__ import annotations

import hashlib
import ipaddress
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import msgspec

from controller import atomic_file
from controller.https.jobs import Issue, LookAtPem, MadeCertificate, MakeAuthority, Wrong
from controller.https.papers import PapersApart
from controller.refused import Refused
from controller.sentences import say
from controller.typed import decoder

DAY_S = 86_400
AUTHORITY_DAYS = 3650
BOARD_DAYS = 120  # at most 825 for the phones of one maker; a board is on oftener than that
RENEWED_DAYS = 60  # before the end
WARNED_DAYS = 14  # of a certificate that an owner has to renew
BEHIND_S = DAY_S  # clocks of phones may be so far behind
MOST_NAMES = 10  # in a certificate: the board's own, and the last few addresses
LOOK_S = 60.0
BEGINNING = datetime(2026, 6, 1, tzinfo=UTC)  # a clock before that is not set
NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10")


class Front(Protocol):
    """What listens for https: `web_panel.serving.tls.TlsFront`."""

    @property
    def port(self) -> int:
        """Where it listens, 0 where it does not."""

    def open(self, host: str, port: int, greeting: ssl.SSLContext) -> None:
        """Listen, or greet new lines so from now on; raises OSError."""

    def close(self) -> None:
        """Listen no longer."""


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be known of a certificate without reading it. Times are seconds since 1970."""

    names: tuple[str, ...] = ()
    begins: int = 0
    ends: int = 0
    fingerprint: str = ""


class Chosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: whether https is on, with the board's own certificate or the one that was ``given``."""

    on: bool = False
    given: bool = False
    authority: Paper = Paper()
    board: Paper = Paper()
    brought: Paper = Paper()


class ServedAt(msgspec.Struct, frozen=True):
    """Where the panel listens: ``host`` and the ``port`` for https. ``names`` and ``addresses`` lead there.

    ``hindrance`` says why there can be no https, "" where there can. Of addresses, those in ``networks`` are certified.
    """

    host: str
    port: int
    names: tuple[str, ...]
    addresses: Callable[[], tuple[str, ...]]
    hindrance: str = ""
    networks: tuple[str, ...] = NETWORKS


class SecurePages:
    """A `web_panel.pages.secure_page.SecureAccess`. Every method may be called from any thread."""

    def __init__(
        self, folder: Path, place: ServedAt, papers: PapersApart, greeting: Callable[[Path], ssl.SSLContext],
        tell: Callable[[str], None] = lambda sentence: None, now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:  # fmt: skip
        """``folder`` keeps everything; ``greeting`` makes of a file what a `Front` takes; ``tell`` gets what is wrong,
        "" where nothing is.
        """
        self._folder, self._place, self._papers, self._greeting = folder, place, papers, greeting
        self._tell, self._now = tell, now
        self._front: Front | None = None
        self._one = threading.Lock()
        self._closing = threading.Event()
        self._chosen, self.unread = atomic_file.read(folder / "chosen.json", decoder(Chosen).decode, Chosen())
        self._wrong = ""
        self._watching: threading.Thread | None = None

    # ---- while the service runs ----

    def start(self, front: Front) -> None:
        """Serve by ``front`` from now on, where that was chosen, and renew what comes to its end."""
        self._front = front
        self._keep_watch()

    def _keep_watch(self) -> None:
        """Look once a minute from now on: a board without https has no thread for it."""
        if self._chosen.on and self._watching is None and not self._closing.is_set():
            self._watching = threading.Thread(target=self._watch, name="https", daemon=True)
            self._watching.start()

    def _watch(self) -> None:
        while True:
            self.look()
            if self._closing.wait(LOOK_S):
                return

    def look(self) -> None:
        """Have what was chosen: listen, and renew a certificate whose time, names or addresses are no longer right."""
        with self._one:
            before = self._wrong
            try:
                self._keep_up()
            except Refused as refused:
                self._wrong = str(refused)
            if self._wrong != before:
                self._tell(self._wrong)

    def close(self) -> None:
        """Begin nothing more, and end what is being done."""
        self._closing.set()
        self._papers.close()

    def _keep_up(self) -> None:
        chosen = self._chosen
        if not chosen.on:
            if self._front is not None:
                self._front.close()
        elif chosen.given:
            self._serve("given.pem")
            self._wrong = self._soon_over(chosen.brought)
        else:
            due = self._is_due(chosen.board)
            if due:
                self._issue()
            self._serve("board.pem", again=due)
            self._check_name()
            self._wrong = ""

    def _is_due(self, board: Paper) -> bool:
        now = self._now_s()
        if self._now() < BEGINNING:  # the network will tell soon what day it is
            return not (self._folder / "board.pem").exists()
        if now >= board.ends - RENEWED_DAYS * DAY_S or now < board.begins:
            return True
        return not set(self._names()) <= set(board.names) or not (self._folder / "board.pem").exists()

    def _soon_over(self, brought: Paper) -> str:
        days = (brought.ends - self._now_s()) // DAY_S
        if days < 0:
            return say("The certificate that was brought has ended: bring a new one, or let the board make its own.")
        if days < WARNED_DAYS:
            return say("The certificate that was brought ends in {days} days: bring a new one.", days=days)
        return ""

    def _serve(self, file: str, again: bool = False) -> None:
        """Listen with that certificate; ``again`` where it is another than before. Raises `Refused`."""
        front = self._front
        if front is None or (front.port and not again):
            return
        try:
            front.open(self._place.host, self._place.port, self._greeting(self._folder / file))
        except ssl.SSLError as error:
            raise Refused(
                say("The certificate cannot be used ({why}): make a new one.", why=str(error.reason))
            ) from error
        except OSError as error:
            raise Refused(say(
                "Port {port} cannot be opened for secure pages ({why}): choose another with the setting https_port.",
                port=self._place.port, why=str(error.strerror),
            )) from error  # fmt: skip

    # ---- what an owner wishes ----

    def switch_on(self, anew: bool = False) -> None:
        """Serve with a certificate of the board's own; ``anew``: of an authority that phones are to trust again.

        Raises `Refused`.
        """
        with self._one:
            self._check_possible()
            if self._now() < BEGINNING:
                raise Refused(say("The board does not know what day it is: connect it to the internet for a minute."))
            if anew or not self._chosen.authority.ends or not (self._folder / "authority.pem").exists():
                self._make_authority()
            self._issue()
            self._keep(on=True, given=False)
            self._serve("board.pem", again=True)
            self._mended()
            self._keep_watch()

    def switch_off(self, soon: bool = False) -> None:
        """Serve plain http alone, from now on or at the next look. The authority is kept: phones that trust it still do
        when this is switched on again. Raises `Refused`.
        """
        with self._one:
            self._keep(on=False)
            if not soon:
                self._keep_up()
            self._mended()

    def give(self, pem: str) -> None:
        """Serve with the certificates and the key in ``pem`` from now on; raises `Refused`."""
        with self._one:
            self._check_possible()
            made = self._papers(LookAtPem(pem, self._now_s()))
            if made.wrong:
                raise Refused(_sentence(made))
            self._write("given.pem", made.pem)
            self._keep(on=True, given=True, brought=_paper(made))
            self._serve("given.pem", again=True)
            self._mended()
            self._keep_watch()

    def _check_possible(self) -> None:
        if self._place.hindrance:
            raise Refused(self._place.hindrance)

    def _mended(self) -> None:
        self._wrong = ""
        self._tell("")

    def _make_authority(self) -> None:
        place = self._place
        names = tuple(name for name in place.names if "." in name) or place.names or place.addresses()
        title = f"Beaconboard {names[0]} {self._now():%Y-%m-%d}"
        ends = self._now_s() + AUTHORITY_DAYS * DAY_S
        made = self._done(MakeAuthority(title, self._place.names, self._place.networks, ends))
        self._write("authority.pem", made.pem)
        print_ = hashlib.sha256(made.der).hexdigest().upper()
        self._keep(authority=Paper(self._place.names, made.begins, made.ends, print_))

    def _issue(self) -> None:
        names = self._names(self._chosen.board.names)  # a network that comes and goes needs no other certificate
        if not names:
            self._check_name()
        try:
            authority = (self._folder / "authority.pem").read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise Refused(say(
                "The board's authority cannot be read: press “{button}”.", button=say("Make a new authority")
            )) from error  # fmt: skip
        now = self._now_s()
        hosts = tuple(name for name in names if not _is_address(name))
        addresses = tuple(name for name in names if _is_address(name))
        made = self._done(Issue(authority, hosts, addresses, now - BEHIND_S, now + BOARD_DAYS * DAY_S))
        self._write("board.pem", made.pem)
        self._keep(board=_paper(made))

    def _check_name(self) -> None:
        if self._place.names and not set(self._place.names) & set(self._chosen.authority.names):
            raise Refused(say(
                "The board has another name than when its authority was made: press “{button}”.",
                button=say("Make a new authority"),
            ))  # fmt: skip

    def _names(self, before: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return by which names and addresses phones find the board, or did ``before``, as far as its authority may
        certify them.
        """
        allowed = [ipaddress.ip_network(each) for each in self._place.networks]
        hosts = [name for name in self._place.names if name in self._chosen.authority.names]
        found = [each for each in (*self._place.addresses(), *before) if _is_address(each)]
        within = [each for each in found if any(ipaddress.ip_address(each) in network for network in allowed)]
        return (*hosts, *dict.fromkeys(within))[:MOST_NAMES]

    def _done(self, job: MakeAuthority | Issue) -> MadeCertificate:
        made = self._papers(job)
        if made.wrong:
            raise Refused(_sentence(made))
        return made

    def _write(self, name: str, pem: str) -> None:
        with self._saving() as folder:
            atomic_file.write(folder / name, pem.encode(), 0o600)

    def _keep(self, **changed: Any) -> None:
        chosen = msgspec.structs.replace(self._chosen, **changed)
        with self._saving() as folder:
            atomic_file.replace(folder / "chosen.json", msgspec.json.encode(chosen), 0o600)
        self._chosen = chosen

    @contextmanager
    def _saving(self) -> Iterator[Path]:
        """Give the folder, made where it is not there; raises `Refused` where it takes nothing."""
        try:
            atomic_file.make_folder(self._folder, 0o700)
            yield self._folder
        except OSError as error:
            why = str(error.strerror)
            raise Refused(say("The certificate cannot be saved ({why}): make room on the card.", why=why)) from error

    def _now_s(self) -> int:
        return int(self._now().timestamp())

    # ---- for the panel ----

    @property
    def port(self) -> int:
        """Where https is served at the moment, 0 where it is not."""
        return self._front.port if self._front is not None else 0

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names and addresses in the certificate that is served, none where none is."""
        if not self.port:
            return ()
        return self._chosen.brought.names if self._chosen.given else self._chosen.board.names

    def report(self) -> dict[str, Any]:
        """Return how it stands, as `web_panel.answers_of_pages.SecureTold` has it, but for the address."""
        chosen, given = self._chosen, self._chosen.given
        now = chosen.brought if given else chosen.board
        return {
            "on": chosen.on,
            "given": given,
            "names": list(self.hosts),
            "ends": datetime.fromtimestamp(now.ends, UTC).date().isoformat() if chosen.on else "",
            "fingerprint": chosen.authority.fingerprint,
            "authority_ends": datetime.fromtimestamp(chosen.authority.ends, UTC).date().isoformat(),
            "wrong": self._wrong,
            "hindrance": self._place.hindrance,
        }

    def authority(self) -> bytes:
        """Return the authority's certificate as DER, the last one of its file; raises `Refused` where there is none."""
        with suppress(OSError, ValueError):
            held = (self._folder / "authority.pem").read_text(encoding="ascii")
            return ssl.PEM_cert_to_DER_cert(held[held.rindex(ssl.PEM_HEADER) :])
        raise Refused(say("The board has made no authority yet: switch secure pages on first."))


def _paper(made: MadeCertificate) -> Paper:
    return Paper(made.names, made.begins, made.ends)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _sentence(made: MadeCertificate) -> str:
    """Return what is wrong with what was brought, or why nothing was made."""
    day = datetime.fromtimestamp(made.ends if made.wrong == "late" else made.begins, UTC).date().isoformat()
    told: dict[Wrong, str] = {
        "no certificate": say(
            "There is no certificate in these files: choose both, the certificate (such as fullchain.pem) and its key."
        ),
        "no key": say(
            "There is no key in these files: choose both, the certificate and its key (such as privkey.pem)."
        ),
        "locked key": say("The key has a password, which the board does not know: bring it without one."),
        "unreadable": say("These files cannot be read: bring the certificate and its key as PEM."),
        "weak key": say("The key is of a kind that phones refuse: bring RSA of at least 2048 bits, or P-256 or P-384."),
        "apart": say("The certificate and the key do not belong together: choose two of the same day and name."),
        "late": say("The certificate ended on {day}: bring a newer one.", day=day),
        "early": say("The certificate counts only from {day} on: check the board's date.", day=day),
        "no names": say("The certificate names no address (subjectAltName): bring one that does."),
        "purpose": say("The certificate is not for web pages: bring one for a server."),
        "missing": say(
            "The board was installed without what makes certificates: who looks after it installs the extra 'https'."
        ),
    }
    return told.get(made.wrong) or say("No certificate could be made or read: try again in a minute.")
