"""Who is at the table: the phones that were let in, and the seats they hold.

A phone's secret is kept as its hash alone.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Literal

import msgspec

from controller import atomic_file
from controller.events import Seating
from controller.game_setup import NAMELESS, Reseat
from controller.orders import Sitter
from controller.refused import Refused
from controller.sentences import say
from web_panel.people.names import cleaned, taken, width
from web_panel.people.phones_file import Beside, Lent, Phone, PhonesFile, parse, write
from web_panel.people.profiles import MOST_LETTERS

log = logging.getLogger(__name__)

MOST_PHONES = 32
SECRET_BYTES = 32

Role = Literal["guest", "player", "owner"]

replace = msgspec.structs.replace


class Visitor(msgspec.Struct, frozen=True):
    """Who asks: a guest has no id and only watches."""

    id: str = ""
    name: str = ""
    role: Role = "guest"
    seats: tuple[int, ...] = ()
    named: bool = False
    profile: str = ""
    afar: bool = False

    @property
    def phone_id(self) -> str:
        """The id of a phone that was let in; "" for a guest, and for a browser of this machine, which need not be."""
        return "" if self.id == LOCAL.id else self.id


def _not_there() -> str:
    return say("This phone is not at the table, or no longer is.")


def shown_name(phone: Phone | Visitor) -> str:
    """Return what ``phone`` is called: as its person said, else as we call it, which each reads in their language."""
    ours = {LOCAL.name: say("The board's computer"), HOST: say("Host")}
    numbered = say("Phone {number}", number=phone.name.removeprefix(f"{PHONE} "))
    return phone.name if phone.named else ours.get(phone.name, numbered)


def held_by(phone: Phone) -> str:
    """Return that ``phone`` holds a seat; nobody but its person gives it a name that others have to know."""
    if not phone.named:
        return say("Another phone holds this seat.")
    return say("This seat is held by {name}.", name=phone.name)


GUEST = Visitor()
PHONE, HOST = "Phone", "Host"  # names of those whose person gave none; the first one has a number behind it
LOCAL = Phone("local", "This computer", "", owner=True)


def new_secret() -> str:
    """Return a secret for a cookie: 256 random bits, as text."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> str:
    """Return what is kept of a secret. It is random and long, so that one round of a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Phones:
    """The phones at the table. Every method may be called from any thread.

    ``changed`` is called with the seating after a change; ``unseen`` says which phones are listed no more.
    """

    def __init__(self, path: Path | None = None, dice: Random | None = None) -> None:
        """Read the phones from ``path``; None keeps them in memory. A file that cannot be read lets nobody in but who
        was in the last good one; ``told`` says so then, else it is "".

        Lots are drawn with ``dice``, without them from the system's own randomness.
        """
        self._path = path
        self._dice = dice or secrets.SystemRandom()
        self._lock = threading.RLock()
        kept, self.told = atomic_file.read(path, parse, PhonesFile()) if path else (PhonesFile(), "")
        self._phones = {phone.secret: phone for phone in kept.phones}
        self._asking: dict[str, Phone] = {}  # by secret: who waits for the proof
        self._local = kept.local or LOCAL
        self._was = ""  # the id of the phone for which the local browser stands
        self.changed: Callable[[Seating], None] = lambda seating: None
        self.unseen: Callable[[Iterable[Phone]], Sequence[Phone]] = lambda phones: ()

    # ---- looking

    def who(self, secret: str, local: bool = False) -> Visitor:
        """Return who shows ``secret``; whoever shows none that is known is a guest.

        If ``local``, it is the owner unless its phone holds a seat or came apart from it.
        """
        phone = self._showing(secret)
        if local and not (phone and (phone.seats or phone.apart)):
            phone = self._local
        if phone is None:
            return GUEST
        role: Role = "owner" if phone.owner else "player"
        return Visitor(phone.id, phone.name, role, phone.seats, phone.named, phone.profile, phone.afar)

    def asking(self, secret: str) -> str:
        """Return the id of the phone that waits with ``secret`` to be let in, "" where none does."""
        phone = self._asking.get(hashed(secret)) if secret else None
        return phone.id if phone else ""

    def asking_name(self, id: str) -> str:
        """Return the name that was given by who waits as ``id``, "" for none."""
        with self._lock:
            return next((phone.name for phone in self._asking.values() if phone.id == id and phone.named), "")

    def knows(self, secret: str) -> bool:
        """Return whether a phone that was let in shows ``secret``."""
        return self._showing(secret) is not None

    def _showing(self, secret: str) -> Phone | None:
        found = hashed(secret) if secret else ""
        by_https = (phone for phone in tuple(self._phones.values()) if found and phone.by_https == found)
        return self._phones.get(found) or next(by_https, None)

    def all(self) -> tuple[Phone, ...]:
        """Return everybody, the local browser with them while it holds a seat."""
        with self._lock:
            return (*((self._local,) if self._local.seats else ()), *self._others())

    def everybody(self) -> tuple[Phone, ...]:
        """Return everybody, and the local browser whether it holds a seat or not."""
        with self._lock:
            return (self._local, *self._others())

    def _others(self) -> list[Phone]:
        """Return the phones but that for which the local browser stands."""
        return [phone for phone in self._phones.values() if phone.id != self._was]

    def holder(self, seat: int) -> Phone | None:
        """Return who holds ``seat``, as whoever plays it there."""
        return next((phone.at(seat) for phone in self.all() if seat in phone.seats), None)

    def any_afar(self) -> bool:
        """Whether somebody far away holds a seat: they did not see what happened at the board."""
        return any(phone.afar and phone.seats for phone in self.all())

    def seating(self, by: Reseat = "keep") -> Seating:
        """Return who sits where, by name, and if the seats were changed for a game ``by`` what."""
        held = {seat: phone.at(seat) for phone in self.all() for seat in phone.seats}
        names = {seat: who.name for seat, who in held.items()}
        people = tuple(names.get(seat, "") for seat in range(max(names, default=-1) + 1))
        known = {seat: id for seat, who in held.items() if (id := who.profile or who.nameless)}
        profiles = tuple(known.get(seat, "") for seat in range(max(known, default=-1) + 1))
        far = tuple(sorted(seat for phone in self.all() if phone.afar for seat in phone.seats))
        unnamed = tuple(sorted(seat for seat, who in held.items() if not who.named))
        return Seating(people, "" if by == "keep" else by, profiles, far=far, unnamed=unnamed)

    # ---- letting in

    def ask(
        self, secret: str, name: str | None, colour: str = "", profile: str = "", afar: bool = False,
        apart: bool = False,
    ) -> str:  # fmt: skip
        """Note that ``secret`` waits to be let in, as the person ``profile``; returns its id. Raises `Refused`."""
        with self._lock:
            self.check_room()
            while len(self._asking) >= MOST_PHONES:
                del self._asking[next(iter(self._asking))]
            id = secrets.token_hex(6)
            own = self._own_name(name)
            self._asking[hashed(secret)] = Phone(
                id, own, hashed(secret), colour=colour, named=bool(name), profile=profile, afar=afar, apart=apart
            )
            return id

    def known(self, id: str) -> Phone:
        """Return the phone ``id``, the local browser with them; raises `Refused` where it is not at the table."""
        found = next((phone for phone in (self._local, *self._phones.values()) if phone.id == id), None)
        if found is None:
            raise Refused(say("This phone is not at the table, or no longer is."))
        return found

    def call(self, id: str, name: str, colour: str, profile: str = "") -> None:
        """Give the phone ``id`` the name and the colour of its person, whose id is ``profile``. Raises `Refused`."""
        with self._lock:
            known = self.known(id)
            own = known.name if cleaned(name) == known.name else self._own_name(name, known)
            named = replace(known, name=own, colour=colour, named=True, profile=profile, nameless="", left="")
            if id == LOCAL.id:
                self._local = named
                known = next((phone for phone in self._phones.values() if phone.id == self._was), LOCAL)
                named = replace(known, name=own, colour=colour, named=True, profile=profile, nameless="", left="")
            if known is not LOCAL:
                self._phones[known.secret] = named
            self._save()

    def unname(self, id: str) -> None:
        """Let the phone ``id``, which somebody has left behind, be nobody's; it stays at the table."""
        with self._lock:
            before = self.known(id)
            self._phones[before.secret] = self._left_behind(before)
            self._save()

    def _left_behind(self, phone: Phone) -> Phone:
        name = self._own_name(None)
        return replace(phone, name=name, colour="", profile="", named=False, left=phone.profile or phone.left)

    def learner(self, visitor: Visitor) -> str:
        """Return the id of the person of ``visitor``, to whom a lesson is credited; until they say a name, one that the
        phone keeps until then. "" for a guest.
        """
        with self._lock:
            id, given = self._person_of(visitor.id)
            if given:
                self._write()
            return id

    def _person_of(self, id: str) -> tuple[str, bool]:
        """Return the id of the person of the phone ``id``, and whether it was only now given one, of somebody nameless.

        It is "" where there is no such phone.
        """
        phone = next((phone for phone in self.everybody() if phone.id == id), None)
        if phone is None or phone.profile or phone.nameless:
            return (phone.profile or phone.nameless if phone else ""), False
        phone = replace(phone, nameless=NAMELESS + secrets.token_hex(6))
        if phone.id == LOCAL.id:
            self._local = phone
        for known in tuple(self._phones.values()):
            if known.id in (phone.id, self._was if phone.id == LOCAL.id else ""):
                self._phones[known.secret] = replace(known, nameless=phone.nameless)
        return phone.nameless, True

    def _own_name(self, wanted: str | None, known: Phone | None = None) -> str:
        """Return ``wanted`` or "Phone", with a number where it needs one: no two phones have names that look alike.

        Raises `Refused` for a name of which nothing is seen, or that is too wide.
        """
        everybody = (self._local, *self._others(), *self._asking.values())
        others = [phone.name for phone in everybody if phone is not known]
        name = cleaned(wanted or "")
        if wanted and not name:
            raise Refused(say("This name would be invisible: use letters."))
        if width(name) > MOST_LETTERS:
            raise Refused(say("This name is too long: there is room for {most} letters.", most=MOST_LETTERS))
        if name and not taken(name, others):
            return name
        start, first = (name, 2) if name else (PHONE, 1)
        while width(start) > MOST_LETTERS - 3:
            start = start[:-1].rstrip()
        numbers = range(first, first + len(others) + 1)
        return next(numbered for n in numbers if not taken(numbered := f"{start} {n}", others))

    def forget(self, id: str) -> None:
        """Let ``id`` wait no longer."""
        with self._lock:
            self._asking = {secret: phone for secret, phone in self._asking.items() if phone.id != id}

    def admit(self, id: str, owner: bool = False, person: Callable[[Phone], str] = attrgetter("profile")) -> None:
        """Let in who waits as ``id``, as whom ``person`` names: both at once, so that nobody ever sees the phone
        without its person. The first one is the owner, unless it came from far away or apart from this machine's own
        browser, which owns the board already. Nothing happens where nobody waits.
        """
        with self._lock:
            phone = next((phone for phone in self._asking.values() if phone.id == id), None)
            if phone is None:
                return
            first = not (phone.afar or phone.apart or self._owned())
            self._phones[phone.secret] = replace(phone, owner=owner or first, profile=person(phone))
            del self._asking[phone.secret]
            self._save()

    def own(self, id: str) -> None:
        """Make an owner's of the phone ``id``."""
        with self._lock:
            phone = self.known(id)
            self._phones[phone.secret] = replace(phone, owner=True)
            self._save()

    def keep_local(self, secret: str) -> None:
        """Make a phone of the browser of this machine, the owner, which shows ``secret`` from now on.

        It keeps its seats, and its name where a person gave it one. The phone that showed ``secret`` before is the same
        one. Raises `Refused`.
        """
        with self._lock:
            before = self._showing(secret)
            if before is None:
                self.check_room()
            elif before.secret != hashed(secret):
                del self._phones[before.secret]
            local = self._local
            name = local.name if local.named else before.name if before else self._own_name(HOST)
            id = before.id if before else secrets.token_hex(6)
            self._phones[hashed(secret)] = replace(local, id=id, name=name, secret=hashed(secret))
            self._local, self._was = LOCAL, ""
            self.stay_here(id)

    def by_https(self, id: str, secret: str) -> None:
        """Let the phone ``id`` show ``secret`` by https, and as before what it has by http. Raises `Refused`."""
        with self._lock:
            before = next((phone for phone in self._phones.values() if phone.id == id), None)
            if before is None:
                raise Refused(_not_there())
            self._phones[before.secret] = replace(before, by_https=hashed(secret))
            self._save()

    def stay_here(self, id: str) -> None:
        """Note that the phone ``id`` is the browser of this machine."""
        with self._lock:
            self._phones = {secret: replace(phone, here=phone.id == id) for secret, phone in self._phones.items()}
            self._save()

    def only_here(self) -> None:
        """Free the seats of all phones that cannot come, since the panel is reached from this machine alone: only those
        far away and other browsers here keep theirs. The local browser has the name and the seats of the phone it was.
        """
        with self._lock:
            before = self._phones
            if own := next((phone for phone in before.values() if phone.here), None):
                name = own.name if own.named else LOCAL.name
                self._local = replace(own, id=LOCAL.id, name=name, secret="", owner=True, here=False)
                self._was = own.id
            self._phones = {
                secret: phone if phone.afar or phone.apart else phone.with_seats(()) for secret, phone in before.items()
            }
            if self._phones != before:
                self._save()

    def check_room(self) -> None:
        """Raise `Refused` where no more phones are let in. Before that the first one that nobody sees goes."""
        if len(self._phones) >= MOST_PHONES and (unseen := self.unseen(self._others())):
            self.revoke(unseen[0].id)
        if len(self._phones) >= MOST_PHONES:
            raise Refused(
                say("There are already {count} phones at the table: the owner has to remove one.", count=MOST_PHONES)
            )

    def revoke(self, id: str, here: Collection[str] = ()) -> Phone | None:
        """Send the phone ``id`` away: its secret is worth nothing from now on. Raises `Refused`.

        Where it was the only owner, the table is that phone's which joined first of those ``here``, not the next
        stranger's; then it is returned.
        """
        with self._lock:
            left = {secret: phone for secret, phone in self._phones.items() if phone.id != id}
            if len(left) == len(self._phones):
                raise Refused(_not_there())
            self._phones = left
            heirs = (phone for phone in left.values() if phone.id in here and not (phone.afar or phone.apart))
            heir = None if self._owned() else next(heirs, None)
            if heir:
                left[heir.secret] = replace(heir, owner=True)
            self._save()
            return heir

    def _owned(self) -> bool:
        """Whether a phone owns the table."""
        return any(phone.owner for phone in self._phones.values())

    # ---- seats

    def take(self, id: str, seat: int) -> None:
        """Give the phone ``id`` a seat that nobody holds; raises `Refused`. What is played there is its person's, also
        of one who says a name only later.
        """
        with self._lock:
            holder = self.holder(seat)
            if holder is not None and holder.id != id:
                raise Refused(held_by(holder))
            self._person_of(id)
            self._change(id, lambda seats: tuple(sorted({*seats, seat})))

    def leave(self, id: str, seat: int) -> None:
        """Let the phone ``id`` give up a seat."""
        with self._lock:
            self._change(id, lambda seats: tuple(held for held in seats if held != seat))

    def beside(self, id: str, beside: Iterable[Beside]) -> None:
        """Let these people play ``beside`` the person of the phone ``id``, each a seat of it."""
        with self._lock:
            known = self.known(id)
            changed = known.with_seats(known.seats, tuple(beside))
            if id == LOCAL.id:
                self._local = changed
            else:
                self._phones[known.secret] = changed
            self._save()

    def free(self, seats: Collection[int]) -> None:
        """Let nobody hold any of ``seats``: the board plays them."""
        for seat in seats:
            if (holder := self.holder(seat)) is not None:
                self.leave(holder.id, seat)

    def lend(self, seats: Collection[int], game: int | None) -> None:
        """Let the board play ``seats`` of a ``game`` for those who hold them, and nobody hold them meanwhile: both at
        once, so that a power cut leaves nobody without the way back.
        """

        def lends(phone: Phone) -> Phone:
            own = [LOCAL.id, phone.id] if phone.id == self._was else [phone.id]
            kept = (each for each in phone.lent if each.seat not in held)
            lent = (
                Lent(seat, game, who.name if who.named else "", who.colour, who.profile)
                for seat, who in held.items()
                if who.id in own
            )
            left = phone.with_seats(tuple(seat for seat in phone.seats if seat not in held))
            return replace(left, lent=(*kept, *lent))

        with self._lock:
            if held := {seat: who for seat in seats if (who := self.holder(seat))}:
                self._local = lends(self._local)
                self._phones = {secret: lends(phone) for secret, phone in self._phones.items()}
                self._save()

    def another_game(self) -> None:
        """What the board has played for somebody it plays for nobody any more."""
        with self._lock:
            if any(phone.lent for phone in (self._local, *self._phones.values())):
                self._local = replace(self._local, lent=())
                self._phones = {secret: replace(phone, lent=()) for secret, phone in self._phones.items()}
                self._write()

    def sit_alone(self, id: str, seats: Sequence[int]) -> None:
        """Give the phone ``id`` the only one of the ``seats`` that people play, even if another one holds it: whoever
        begins a game against the board plays it. Nothing where there are several.
        """
        with self._lock:
            if len(seats) == 1 and seats[0] not in self.known(id).seats:
                self.free(seats)
                self.take(id, seats[0])

    def sit_beside(self, id: str, seats: Sequence[int], left: Collection[str]) -> None:
        """Give the phone ``id``, which has begun a game that people play in ``seats``, the first of them that is free.

        Free are also those of the phones that have ``left``. Where nobody holds any, everybody at the table plays them
        all, and the local browser, of which all is moved that is nobody's, takes none.
        """
        with self._lock:
            self.free([seat for seat in seats if (holder := self.holder(seat)) and holder.id in {*left} - {id}])
            held = {seat: holder.id for seat in seats if (holder := self.holder(seat))}
            free = [seat for seat in seats if seat not in held]
            if held and free and id not in {*held.values(), LOCAL.id}:
                self.take(id, free[0])

    def make_room(self, seats: Sequence[int], here: Collection[str], absent: Collection[str]) -> None:
        """Free as many of the ``seats`` as phones that are ``here`` would find none: in a game that begins anew
        everybody here has one before anybody has two, and it waits for nobody.

        So a phone of several gives up all but its first, who has most the first; then go the first ones that ``absent``
        phones hold. The local browser needs no seat.
        """
        with self._lock:
            held = {seat: holder for seat in seats if (holder := self.holder(seat))}
            holders = {phone.id for phone in held.values()}
            standing = {phone.id for phone in self._others() if not phone.afar} & {*here} - holders
            wanted = max(0, len(standing) - (len(seats) - len(held)))
            before = {seat: [held[other] for other in held if other < seat].count(held[seat]) for seat in held}
            beside = sorted((seat for seat in held if before[seat] and not held[seat].afar), key=lambda n: -before[n])
            away = [seat for seat, phone in held.items() if phone.id in absent and seat not in beside]
            self.free([*beside, *away][:wanted])

    def pass_on(self, id: str, to: str, owner: bool = False) -> bool:
        """Give the seats of the phone ``id``, what the board plays for it, and the name of its person, to the phone
        ``to``: it is that person's now.

        ``owner``: so is the ownership of the table, but that of the browser of this machine; returns whether it was
        passed on. The one before is nobody's, and stays at the table.
        """
        with self._lock:
            before, after = self.known(id), self.known(to)
            owns = owner and before.owner and not before.here
            if owns:
                before, after = replace(before, owner=False), replace(after, owner=True)
            after = replace(after.with_seats(before.seats, before.beside), lent=(*after.lent, *before.lent))
            after = replace(after, nameless=before.nameless if not after.profile else "")
            if before.named:
                person = {"name": before.name, "colour": before.colour, "profile": before.profile}
                after = replace(after, **person, named=True, nameless=before.nameless, left="")
                before = self._left_behind(before)
            changed = {id: replace(before.with_seats(()), nameless="", lent=()), to: after}
            self._phones = {secret: changed.get(phone.id, phone) for secret, phone in self._phones.items()}
            self._save()
            return owns

    def seated_after(self, how: Reseat, seats: int) -> list[str]:
        """Return the ids of who would hold the first ``seats`` seats after these were changed; the lots are drawn.

        One that nobody holds, "", moves on, or is drawn, like the others. With "turn" whoever sat next to the first
        seat then has that one.
        """
        with self._lock:
            sat = [holder.id if (holder := self.holder(seat)) else "" for seat in range(seats)]
            if how == "keep":
                return sat
            return [*sat[1:], *sat[:1]] if how == "turn" else self._dice.sample(sat, seats)

    def reseat(self, how: Reseat, seats: int, drawn: list[str] | None = None) -> None:
        """Change who holds the first ``seats`` seats, as was ``drawn`` where it was."""
        if how == "keep":
            return
        with self._lock:
            self.seat(drawn if drawn is not None else self.seated_after(how, seats), how)

    def seat(self, now: Sequence[str], by: Reseat = "keep") -> None:
        """Let the phones with these ids hold the first seats, "" for none. Who plays beside the person of a phone goes
        along: one seat on where they "turn", to any of the phone's where ``by`` lots.
        """

        def moved(phone: Phone) -> Phone:
            own = [seat for seat, id in enumerate(now) if id == phone.id]
            seats = (*own, *(seat for seat in phone.seats if seat >= len(now)))
            if by == "keep" or not phone.beside:
                return phone.with_seats(seats)
            before = [seat for seat in phone.seats if seat < len(now)]
            after = self._dice.sample(own, len(own)) if by == "lots" else [(seat - 1) % len(now) for seat in before]
            to = dict(zip(before, after, strict=False))
            beside = (replace(each, seat=to.get(each.seat, each.seat)) for each in phone.beside)
            return phone.with_seats(seats, tuple(beside))

        with self._lock:
            self._local = moved(self._local)
            self._phones = {secret: moved(phone) for secret, phone in self._phones.items()}
            self._save(by)

    def check_sitters(self, people: Sequence[Sitter]) -> None:
        """Raise `Refused` where one of the ``people`` is not at the table, or in two seats."""
        once = [who for who in people if who and not who.endswith("/")]
        if len({*once}) < len(once):
            raise Refused(say("Nobody sits in two seats."))
        for who in filter(None, people):
            id, _, seat = who.partition("/")
            if seat and int(seat) not in (each.seat for each in self.known(id).beside):
                raise Refused(_not_there())
            self.known(id)

    def drawn(self, people: Sequence[Sitter], seats: Sequence[int]) -> tuple[Sitter, ...]:
        """Return the ``people`` as they sit once those in the ``seats`` have drawn lots for these."""
        lots = dict(zip(seats, self._dice.sample([people[seat] for seat in seats], len(seats)), strict=True))
        return tuple(lots.get(seat, who) for seat, who in enumerate(people))

    def give(self, people: Sequence[Sitter], by: Reseat) -> None:
        """Let these ``people`` hold the first seats, and no others; ``by`` lots, or as whoever begins the game says."""

        def given(phone: Phone) -> Phone:
            own = {seat: who.partition("/")[2] for seat, who in enumerate(people) if who.partition("/")[0] == phone.id}
            seats = (*own,) or tuple(seat for seat in phone.seats if seat >= len(people))
            beside = (replace(each, seat=to) for each in phone.beside for to, at in own.items() if at == str(each.seat))
            return phone.with_seats(seats, (*beside,))

        with self._lock:
            before = [holder and holder.at(seat) for seat in range(len(people)) for holder in [self.holder(seat)]]
            self._local = given(self._local)
            self._phones = {secret: given(phone) for secret, phone in self._phones.items()}
            same = before == [self.holder(seat) for seat in range(len(people))]
            self._save("keep" if same and by == "keep" else "lots" if by == "lots" else "turn")

    def _change(self, id: str, change: Callable[[tuple[int, ...]], tuple[int, ...]]) -> None:
        if id == LOCAL.id:
            self._local = self._local.with_seats(change(self._local.seats))
        self._phones = {
            secret: phone.with_seats(change(phone.seats)) if phone.id == id else phone
            for secret, phone in self._phones.items()
        }
        self._save()

    def _save(self, by: Reseat = "keep") -> None:
        self._write()
        self.changed(self.seating(by))

    def _write(self) -> None:
        if self._path is not None:
            local = None if self._was or self._local == LOCAL else self._local
            write(self._path, PhonesFile(tuple(self._phones.values()), local))
