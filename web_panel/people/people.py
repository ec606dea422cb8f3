"""The people who have played here: who of them holds which phone, their games, and how their names are kept.

Whoever is at the table may change a name, but that of a person whose phone is there only that phone or the owner's. Who
is there with two phones of theirs changes it with neither: see `People._may_change`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any

import msgspec
from flask import Flask, Response, g

from controller.game_setup import Reseat
from controller.orders import AnyOrder, NewGame, PlayAgain
from controller.refused import Refused
from controller.sentences import say
from controller.typed import decoder
from web_panel.answers import PersonGames, PersonKnown, PersonOffered
from web_panel.backend import Finished, Learnt, TableAccess
from web_panel.people.phones import LOCAL, Phones, Visitor, shown_name
from web_panel.people.phones_file import Beside, Phone
from web_panel.people.profiles import Colour, Id, KnownPerson, Name, Profiles
from web_panel.people.progress import Progress, progress_of, streak
from web_panel.people.standings import Record, Tally, counted, experience
from web_panel.people.welcome import last_here, long_ago, welcomes
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import as_json, takes

Finding = Callable[[str], Sequence[Finished]]
"""Returns the finished games of a name, all of them for ""."""

NUMBER = re.compile(r" \d+$")  # which a phone's name gets where another has that name already


class Me(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who holds this phone: ``profile``, whom the board knows, or somebody new with ``name`` and ``colour``."""

    name: Name | None = None
    colour: Colour = ""
    profile: Id | None = None


class ChangePerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Call the person ``id`` by ``name`` from now on, with ``colour``."""

    id: Id
    name: Name
    colour: Colour = ""


class Merged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The person ``id`` is the person ``into``: the games of both are that one's."""

    id: Id
    into: Id


class Removed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Forget the name of the person ``id``; the games stay."""

    id: Id


class People:
    """The phones and who holds them. Every method may be called from any thread, and raises `Refused`.

    ``playing`` says whether a game is on, in which who holds a seat plays it, ``gone`` which phones have no page open
    for some seconds, ``here`` which have one.
    """

    def __init__(self, phones: Phones, profiles: Profiles) -> None:
        self._phones, self.profiles = phones, profiles
        self.playing: Callable[[], bool] = lambda: True
        self.gone: Callable[[Iterable[Phone]], Collection[Phone]] = lambda phones: ()
        self.here: Callable[[Iterable[Phone]], Collection[Phone]] = lambda phones: ()
        self._picked: dict[str, str] = {}  # by phone: who was nameless on it before its person was picked from the list

    def asking(self, name: str | None, colour: str, profile: str | None) -> tuple[str | None, str, str]:
        """Return under which name, colour and id somebody asks to join who gives these; an id of old counts.

        One that the board does not know does not, nor that of somebody who is here with another phone.
        """
        known = self.profiles.of(profile) if profile else None
        known = None if known and self.here(self._with(known)) else known
        return (known.name, known.colour, known.id) if known else (name, colour, "")

    def known_by_name(self, phone: Phone) -> str:
        """Return the id of the person who comes with ``phone``, whom the board knows from now on by its name; "" where
        somebody has a name that looks alike: who that is the phone is asked then.
        """
        if not phone.named or phone.profile:
            return phone.profile
        if self.profiles.called(phone.name) or self.profiles.called(NUMBER.sub("", phone.name)):
            return ""
        try:
            return self.profiles.add(phone.name, phone.colour).id
        except Refused:
            return ""  # the board knows too many people, or its disk is full: the phone is in all the same

    def call(self, visitor: Visitor, me: Me) -> KnownPerson:
        """Let ``visitor`` be who they say; all of it, or nothing."""
        phone = self._phones.known(visitor.id)
        if me.profile is not None:
            person = self.profiles.of(me.profile)
            if person is None:
                raise Refused(say("This person is no longer in the list: look again."))
            self._check_here(visitor, person)
        elif me.name is None:
            raise Refused(say("Choose a person, or give a name."))
        else:
            own = self.profiles.of(phone.profile) if phone.profile else None
            if own is not None and self.profiles.called(me.name) is own:
                person = self.profiles.change(own.id, me.name, me.colour)
            else:
                self._check_free(visitor, me.name)
                person = self.profiles.add(me.name, me.colour)
        if nameless := phone.nameless or self._picked.pop(visitor.id, ""):
            person = self.profiles.also(person.id, nameless)
            if me.profile is not None:
                self._picked[visitor.id] = nameless
        self._is(visitor.id, person)
        return person

    def beside(self, visitor: Visitor, seat: int, name: str | None) -> None:
        """Let who is called ``name`` play the ``seat`` of the phone of ``visitor``; its own person where none is given,
        or theirs.
        """
        phone = self._phones.known(visitor.id)
        others = [each for each in phone.beside if each.seat != seat]
        if name:
            self._check_free(visitor, name)
            known = self.profiles.called(name) or self.profiles.add(name)
            if known.id != self.of(phone.profile):
                others.append(Beside(seat, known.name, known.colour, known.id))
        self._phones.beside(visitor.id, others)

    def another_game(self) -> None:
        """From now on a phone whose person was picked from the list, and is said to be another one, is handed on.

        Before, the wrong name was touched, and what was played without a name is the other one's.
        """
        self._picked.clear()

    def came(self, id: str) -> None:
        """Call the phone ``id``, which was let in just now, as its person is called, though an older one of theirs is
        called so still.
        """
        phone = next((phone for phone in self._phones.everybody() if phone.id == id), None)
        person = self.profiles.of(phone.profile) if phone and phone.profile else None
        if phone and person and phone.name != person.name:
            self._is(id, person)

    def _is(self, id: str, person: KnownPerson) -> None:
        """Let the phone ``id`` be that of ``person``, whose phones that are away and have no seat are nobody's then."""
        others = [each for each in self._held_by(person.id) if each.id not in (id, LOCAL.id) and not each.seats]
        for left in self.gone(others):
            self._phones.unname(left.id)
        self._phones.call(id, person.name, person.colour, person.id)

    def _check_free(self, visitor: Visitor, name: str) -> None:
        """Refuse the ``name`` of somebody who sits at the table with another phone."""
        if person := self.profiles.called(name):
            self._check_here(visitor, person)

    def _check_here(self, visitor: Visitor, person: KnownPerson) -> None:
        """Refuse ``visitor`` to be a ``person`` who plays or is there with another phone: they are not in the list."""
        if not self._elsewhere(visitor, person):
            return
        if self._plays(person):
            raise Refused(
                say(
                    "{name} plays in this game with another phone: choose another name. If that is you, say so on the"
                    " page “People” once that phone is away.",
                    name=person.name,
                )
            )
        raise Refused(
            say(
                "{name} is at the table with another phone: choose another name. If that is you, close the page there"
                " first.",
                name=person.name,
            )
        )

    def _elsewhere(self, visitor: Visitor, person: KnownPerson) -> bool:
        """Whether ``person`` plays in the game that is on, or is there, and not with the phone of ``visitor``."""
        return not self._holds(visitor, person) and (self._plays(person) or bool(self.here(self._with(person))))

    def _plays(self, person: KnownPerson) -> bool:
        return any(phone.seats for phone in self._with(person)) and self.playing()

    def listed(self, visitor: Visitor) -> list[dict[str, Any]]:
        """Return everybody, for ``visitor`` to say which of them holds this phone."""
        own = self.of(visitor.profile)
        return [
            {"id": p.id, "name": p.name, "colour": p.colour, "you": p.id == own,
             "elsewhere": self._elsewhere(visitor, p)}
            for p in sorted(self.profiles.all(), key=lambda each: each.name.casefold())
        ]  # fmt: skip

    def change(self, visitor: Visitor, id: str, name: str, colour: str) -> None:
        """Give a person another name or colour; the phones of that person follow."""
        self._check(visitor, id)
        person = self.profiles.change(id, name, colour)
        self._follow(person)

    def merge(self, visitor: Visitor, id: str, into: str) -> None:
        """Let two people be one."""
        self._check(visitor, id)
        self._check(visitor, into)
        self._follow(self.profiles.merge(id, into))

    def remove(self, visitor: Visitor, id: str) -> None:
        """Forget a person's name."""
        self._check(visitor, id)
        phones = self._held_by(id)
        self.profiles.remove(id)
        for phone in phones:
            self._phones.call(phone.id, phone.name, phone.colour)
        self._follow_beside()

    def claimable(self, visitor: Visitor, nameless: Mapping[int, str]) -> list[dict[str, Any]]:
        """Return which seats that were played by somebody ``nameless`` are those of ``visitor``'s person, or may be."""
        own = self.of(visitor.profile)
        free = {seat: id for seat, id in nameless.items() if self._may_claim(own, id)}
        return [{"seat": seat, "yours": self.of(id) == own} for seat, id in free.items()]

    def claim(self, visitor: Visitor, nameless: str, mine: bool) -> None:
        """Let the games of somebody ``nameless`` be those of ``visitor``'s person, or no longer."""
        own = self.of(visitor.profile)
        if not self._may_claim(own, nameless):
            raise Refused(say("Only somebody with a name can claim a game, and only one that is nobody else's."))
        if (self.of(nameless) == own) != mine:
            change = self.profiles.also if mine else self.profiles.no_longer
            change(own, nameless)

    def _may_claim(self, own: str, nameless: str) -> bool:
        """Whether somebody ``nameless`` may be the person ``own``: nobody else is, and no phone at the table."""
        here = {phone.nameless for phone in self._phones.everybody()}
        return bool(own and nameless) and self.of(nameless) in ("", own) and nameless not in here

    def of(self, id: str) -> str:
        """Return the id that the person of ``id`` has now, "" for nobody."""
        known = self.profiles.of(id) if id else None
        return known.id if known else ""

    def check_leads(self, visitor: Visitor, learner: str, watching: Collection[str]) -> None:
        """Refuse ``visitor`` to end the lesson of another one, the ``learner``, while a phone of theirs is among
        those ``watching``.
        """
        its = self._learners_phones(learner)
        if visitor.id not in its and its & {*watching}:
            raise Refused(say("Somebody else has begun this lesson: it goes on until they leave it."))

    def goes_on(self, visitor: Visitor, learner: str) -> bool:
        """Whether a lesson that waits is offered to ``visitor``: it is theirs, or of nobody who is at the table."""
        its = self._learners_phones(learner)
        return not its or visitor.id in its

    def _learners_phones(self, learner: str) -> set[str]:
        own = self.of(learner)
        return {
            phone.id
            for phone in self._phones.everybody()
            if learner and (phone.nameless == learner or (own and self.of(phone.profile) == own))
        }

    def phone_name(self, phone: Phone) -> str:
        """Return what ``phone`` is called in lists: one without a name by its person's, where that is known."""
        whose = "" if phone.named else self.of(phone.left) or self.of(phone.nameless)
        person = self.profiles.of(whose)
        return say("{name}'s phone", name=person.name) if whose and person else shown_name(phone)

    def _held_by(self, id: str) -> list[Phone]:
        """Return the phones of the person ``id``."""
        person = self.profiles.of(id)
        return [phone for phone in self._phones.everybody() if person and self.profiles.of(phone.profile) is person]

    def _with(self, person: KnownPerson) -> list[Phone]:
        """Return the phones of ``person``, and those on which they play beside somebody."""
        return [
            phone
            for phone in self._phones.everybody()
            if any(self.profiles.of(id) is person for id in (phone.profile, *(each.profile for each in phone.beside)))
        ]

    def _holds(self, visitor: Visitor, person: KnownPerson) -> bool:
        return visitor.id in [phone.id for phone in self._with(person)]

    def _check(self, visitor: Visitor, id: str) -> None:
        person = self.profiles.of(id)
        if person is None or self._may_change(visitor, person):
            return
        if self._holds(visitor, person):
            raise Refused(
                say(
                    "{name} is at the table with another phone, too: close the page there first, or let the owner's"
                    " phone do this.",
                    name=person.name,
                )
            )
        raise Refused(say("{name} is at the table: only their phone or the owner's can change this.", name=person.name))

    def _may_change(self, visitor: Visitor, person: KnownPerson) -> bool:
        """Whether ``visitor`` may change ``person``: the owner, who alone is there with a phone of theirs, and where
        they are not at the table everybody who has joined. Any phone says whose it is, so that alone proves nothing.
        """
        if visitor.role in ("owner", "guest"):
            return visitor.role == "owner"
        others = [phone for phone in self._with(person) if phone.id != visitor.id]
        if not self._holds(visitor, person):
            return not others
        away = self.gone(others)
        return all(phone in away and not phone.seats for phone in others)

    def _follow(self, person: KnownPerson) -> None:
        for phone in self._held_by(person.id):
            self._phones.call(phone.id, person.name, person.colour, person.id)
        self._follow_beside()

    def _follow_beside(self) -> None:
        """Call people who play beside others as they are called now; who was removed plays no more."""
        for phone in self._phones.everybody():
            known = ((each.seat, self.profiles.of(each.profile)) for each in phone.beside)
            now = tuple(Beside(seat, who.name, who.colour, who.id) for seat, who in known if who)
            if now != phone.beside:
                self._phones.beside(phone.id, now)

    def everybody(
        self, visitor: Visitor, games: Sequence[Finished], learnt: Sequence[Learnt], today: date
    ) -> list[dict[str, Any]]:
        """Return everybody with their games and how far they have come, as ``visitor`` may see and change them."""
        records, titles = counted(games, self.of), {game.name: game.title for game in games}
        titles |= {each.name: each.title for each in learnt}
        own = self.of(visitor.profile)
        found = []
        for person in sorted(self.profiles.all(), key=lambda each: each.name.casefold()):
            phones = self._with(person)
            may = self._may_change(visitor, person)
            known = {"id": person.id, "name": person.name, "colour": person.colour}
            stands = {"here": len(self.gone(phones)) < len(phones), "you": person.id == own, "may": may}
            come = progress_of(person.id, games, learnt, self.of)
            record = self._one(records.get(person.id, Record()), come, titles)
            found.append({**known, **stands, **record, "streak": streak(come.days, today)})
        return found

    def _one(self, record: Record, come: Progress, titles: Mapping[str, str]) -> dict[str, Any]:
        names = dict.fromkeys((*record.by_game, *sorted(come.lessons | come.solved.keys())))
        games = [_line(titles[name], record.by_game.get(name, Tally())) | _reached(come, name) for name in names]
        others = [_line(self._opponent(who), tally) for who, tally in record.by_opponent.items()]
        return {**_numbers(record.all), "by_game": _most_first(games), "by_opponent": _most_first(others)}

    def come(self, visitor: Visitor, games: Sequence[Finished], learnt: Sequence[Learnt]) -> Progress:
        """Return how far the person of this phone has come, who need not have said a name."""
        nameless = next((phone.nameless for phone in self._phones.everybody() if phone.id == visitor.id), "")
        own = self.of(visitor.profile) or nameless
        return progress_of(own, games, learnt, lambda id: self.of(id) or id) if own else Progress()

    def welcomes(
        self, missed: Callable[[], Iterable[Mapping[str, Any]]], visitor: Visitor, games: Sequence[Finished],
        learnt: Sequence[Learnt], left: Iterable[Mapping[str, Any]], today: Mapping[str, Any] | None,
    ) -> list[dict[str, Any]]:  # fmt: skip
        """Return what greets the person of this phone who was not here for some hours, as `welcome.welcomes` does;
        nothing for one without a name, and for one who has begun something since, also what was ``left``.
        """
        person = self.profiles.of(visitor.profile) if visitor.profile else None
        if person is None:
            return []
        known = lambda id: self.of(id) or id  # noqa: E731
        own = [game for game in left if not game["others"]]
        begun = [last_here(person.id, games, learnt, known), *(game["started"] for game in own)]
        if not long_ago(max(begun), datetime.now(UTC)):
            return []
        row = streak(progress_of(person.id, games, learnt, known).days, date.today())
        return welcomes(person.id, person.name, games, learnt, known, today, row, missed(), own)

    def _opponent(self, who: str | int) -> str:
        if isinstance(who, int):
            return say("Board, level {level}", level=who)
        person = self.profiles.of(who) if who else None
        return person.name if person else say("others")

    def sit_again(self, visitor: Visitor, played: Sequence[str]) -> set[str]:
        """Seat the people with the ids ``played``, one for each seat of a game that goes on, "" for nobody known.

        Who has several phones sits with that of ``visitor``, if it is theirs. The seat of somebody who is not at the
        table is nobody's; where nobody would be seated, all stay as they are. Returns the ids of the phones.
        """
        phones = sorted(self._phones.everybody(), key=lambda phone: phone.id == visitor.id)
        here = {person: phone.id for phone in phones if (person := self.of(phone.profile) or phone.nameless)}
        also = {self.of(each.profile): phone.id for phone in phones for each in phone.beside}
        seats = [here.get(self.of(id) or id, "") or also.get(self.of(id), "") for id in played]
        if any(seats):
            self._phones.seat(seats)
            self._sit_beside(played, seats)
        return {*filter(None, seats)}

    def _sit_beside(self, played: Sequence[str], seats: Sequence[str]) -> None:
        """Let those of the people ``played`` sit beside the person of the phone that now has their one of ``seats``."""
        for phone in self._phones.everybody():
            mine = ((seat, self.profiles.of(id)) for seat, id in enumerate(played) if seats[seat] == phone.id and id)
            beside = [
                Beside(seat, who.name, who.colour, who.id)
                for seat, who in mine
                if who and who.id != self.of(phone.profile)
            ]
            if beside or phone.beside:
                self._phones.beside(phone.id, beside)

    def others_play(self, visitor: Visitor, played: Sequence[str]) -> bool:
        """Whether the board knows people among those with the ids ``played``, and none of them is ``visitor``."""
        known = {self.of(id) or id for id in played if id}
        nameless = next((phone.nameless for phone in self._phones.everybody() if phone.id == visitor.id), "")
        return bool(known) and (self.of(visitor.profile) or nameless) not in known

    def seated_after(self, how: Reseat, seats: int) -> list[str]:
        """Return the ids of the phones by seat, after the seats are changed."""
        return self._phones.seated_after(how, seats)

    def played(self, phones: Sequence[str], name: str, games: Iterable[Finished]) -> list[int | None]:
        """Return how many ``games`` called ``name`` the person of each of the ``phones`` has finished, None where that
        is not known: of a phone that is nobody's, or that holds several seats.
        """
        counts = experience(games, name, self.of)
        ids = {phone.id: self.of(phone.profile) for phone in self._phones.everybody()}
        persons = [ids.get(id, "") if phones.count(id) == 1 else "" for id in phones]
        return [counts.get(person, 0) if person else None for person in persons]


def _numbers(tally: Tally) -> dict[str, int]:
    return {"games": tally.games, "won": tally.won, "lost": tally.lost}


def _line(name: str, tally: Tally) -> dict[str, Any]:
    return {"name": name, **_numbers(tally)}


def _reached(come: Progress, name: str) -> dict[str, Any]:
    reached = come.in_game(name)
    return {**reached, "solved": len(reached["solved"])}


def _most_first(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(lines, key=lambda line: -line["games"])


def no_games(_: str) -> Sequence[Finished]:
    """Where nobody keeps games there are none."""
    return ()


def nothing_learnt() -> Sequence[Learnt]:
    """Nor lessons."""
    return ()


def told_experience(
    order: AnyOrder, backend: TableAccess, people: People, finished: Finding
) -> tuple[AnyOrder, list[str] | None]:
    """Return ``order`` with the experience of the players, if the game that it begins asks for that.

    Then also the phones by seat, as they will sit: whether lots are drawn for them must be known before.
    """
    if not isinstance(order, NewGame | PlayAgain):
        return order, None
    how, drawn = order.seats, list[list[str]]()
    sitters = [who.partition("/")[0] for who in order.people]

    def played(name: str, seats: int) -> Sequence[int | None]:
        drawn.append(sitters or people.seated_after(how, seats))
        try:
            return people.played(drawn[0], name, finished(name))
        except Refused:  # the journal cannot be read: nothing is known
            return (None,) * seats

    told = backend.experienced(order, played)
    return told, drawn[0] if drawn else None


def add_people(
    app: Flask, people: People, finished: Finding, learnt: Callable[[], Sequence[Learnt]], turns: OneAtATime
) -> None:
    """Add the addresses of the people to ``app``; their games are read from the journal in ``turns``."""

    @app.get("/api/people")
    def people_known() -> Annotated[Response, list[PersonOffered]]:
        """Who has played here: id, name and colour, which of them holds this phone, and who sits with another one."""
        return as_json(people.listed(g.visitor))

    @app.get("/api/people/games")
    @turns.costly
    def games_of_people() -> Annotated[Response, list[PersonGames]]:
        """Everybody's finished games: how many, won and lost, by game and by opponent."""
        return as_json(people.everybody(g.visitor, finished(""), learnt(), date.today()))

    @app.post("/api/me")
    @takes(decoder(Me))
    def me(what: Me) -> Annotated[Response, PersonKnown]:
        """Say who holds this phone; answers with the id, the name and the colour of that person."""
        person = people.call(g.visitor, what)
        return as_json({"id": person.id, "name": person.name, "colour": person.colour})

    @app.post("/api/people/change")
    @takes(decoder(ChangePerson))
    def change_person(what: ChangePerson) -> None:
        """Give a person another name or colour."""
        people.change(g.visitor, what.id, what.name, what.colour)

    @app.post("/api/people/merge")
    @takes(decoder(Merged))
    def merge_people(what: Merged) -> None:
        """Let two people be one from now on: the games of both are theirs."""
        people.merge(g.visitor, what.id, what.into)

    @app.post("/api/people/remove")
    @takes(decoder(Removed))
    def remove_person(what: Removed) -> None:
        """Forget a person's name; the games stay."""
        people.remove(g.visitor, what.id)
