"""The board's health as the panel sees it: figures, guided checks and their findings, the journal's last minutes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from controller.diagnostics.examination import ExamPhase, verdict
from controller.diagnostics.field_watch import FieldWatch
from controller.diagnostics.fields import field_findings, shown
from controller.diagnostics.findings import Finding
from controller.diagnostics.guided_check import CheckRequest, GuidedCheck
from controller.diagnostics.learned_profile import advice, learned, source
from controller.diagnostics.rest_keeper import RestKeeper
from controller.diagnostics.sensor_health import LastLines, SensorHealth
from controller.diagnostics.strength_walk import StrengthWalk
from controller.panel.history_backend import HistoryBackend
from controller.panel.import_process import Apart
from controller.refused import Later, Refused
from controller.sentences import capital, say, together
from controller.service.loop import Service
from controller.table.state import Table
from hardware.profile import BadProfile, Profile, geometry, read


class CheckFindings(msgspec.Struct, frozen=True):
    """What follows from ``check``; ``copy`` is the text of the learned board, None where it is right as it is."""

    check: GuidedCheck
    findings: tuple[Finding, ...]
    copy: str | None


class DiagnosticsBackend:
    """A `web_panel.pages.diagnostics.DiagnosticsAccess`."""

    def __init__(
        self,
        profile: Profile,
        board: str,
        health: SensorHealth,
        log: LastLines,
        history: HistoryBackend,
        service: Service,
        folder: Path,
        fields: FieldWatch | None = None,
        kinds: StrengthWalk | None = None,
        rests: RestKeeper | None = None,
    ) -> None:
        """``board`` is its name or path in the settings; what is learned goes into ``folder``.

        ``fields``, ``kinds`` and ``rests`` are of linear sensors.
        """
        self.apart = Apart()  # of its own, so that who looks at the board's health keeps nobody from a game
        self._folder = folder
        self._lies_on(profile, board)
        self._health = health
        self._log = log
        self._history = history
        self._service = service
        self._fields, self._kinds, self._rests = fields, kinds, rests
        self._found: CheckFindings | None = None

    def _lies_on(self, profile: Profile, board: str) -> None:
        self._profile = profile
        drawn, sensors = geometry(profile), {site.name for site in profile.sites}  # sites on phones have none
        self._geometry = {**drawn, "sites": {name: site for name, site in drawn["sites"].items() if name in sensors}}
        self._source = source(board)
        self._copy = self._folder / "learned" / f"{profile.name}.toml"

    def now_on(self, profile: Profile) -> None:
        """Look at another board from now on."""
        self._lies_on(profile, profile.name)

    def report(self, who: str = "") -> dict[str, Any]:
        """Return all figures, as the phone ``who`` may see them."""
        look = self._service.look()
        table, playing = look.table, look.table.phase in ("play", "fix")
        if self._kinds and (playing or (look.check and look.check.who)):
            self._kinds.end()  # pieces are put where a game or a check wants them
        health = self._health.report()
        return {
            **health, "flicker_ms": table.timing.flicker_ms, "log": self._log.lines(),
            "board": {"geometry": self._geometry}, "walk": self._check(who), "playing": playing,
            "fields": self._read(table, health),
        }  # fmt: skip

    def _read(self, table: Table, health: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what linear sensors read now and what is wrong by that, None where the board tells no fields."""
        read = self._fields.look() if self._fields else None
        if read is None:
            return None
        lying = {site for site, sensor in health["sites"].items() if sensor["on"]}
        wanted = set(table.board.marks(table.play.standings[-1])) if table.play else set()
        rests = self._rests.look() if self._rests else None
        rests_mt = self._rests.rests_mt if self._rests else {}
        findings = field_findings(self._profile, read, lying, wanted, rests_mt)
        sensors = [site.name for site in self._profile.sites if site.name in read]
        sites = {site: shown(read[site].field_mt).removesuffix(" mT") for site in sensors}
        kinds = self._kinds.look() if self._kinds else None
        return {"sites": sites, "findings": findings, "kinds": kinds, "rests": rests}

    def measure_kinds(self, kinds: int) -> None:
        """Begin to measure so many kinds of pieces."""
        self._may_measure()
        if self._kinds is not None:
            self._kinds.begin(kinds)

    def measure_rests(self, without_far: bool) -> None:
        """Begin to measure where the sensors of the empty board rest."""
        self._may_measure()
        if self._kinds is not None:
            self._kinds.end()
        if self._rests is not None:
            self._rests.measure(without_far=without_far)

    def _may_measure(self) -> None:
        if self._fields is None or self._fields.look() is None:
            raise Refused(say("The sensors of this board do not tell how strong a magnet is."))
        look = self._service.look()
        if look.table.phase in ("play", "fix"):
            raise Refused(say("A game is being played: pause it first."))
        if look.check is not None and look.check.who:
            raise Refused(say("A board check is running: end it first."))

    def measured_back(self) -> None:
        """Take the last measurement of a kind back."""
        if self._kinds is not None:
            self._kinds.back()

    def end_kinds(self) -> None:
        """Measure no more kinds."""
        if self._kinds is not None:
            self._kinds.end()

    def _check(self, who: str) -> dict[str, Any] | None:
        check = self._service.look().check
        if check is None:
            return None
        exam = check.exam
        told: dict[str, Any] = {
            "of": check.of,
            "running": bool(check.who),
            "yours": bool(who) and check.who == who,
            "number": exam.at,
            "count": len(exam.sites) if check.of == "sensors" else None if exam.few else len(exam.pixels),
            "asked": check.asked_site,
            "pressed": bool(exam.pressed),
            "told": check.told,
        }
        if check.who:
            return told
        found = self._judged(check)
        done = exam.phase in (ExamPhase.LOAD, ExamPhase.OVER)
        all_seen = len(exam.seen.lit) == len(exam.pixels)
        return {
            **told, "ended": check.ended, "done": done, "all": check.of == "sensors" or all_seen,
            "findings": found.findings, "learn": found.copy is not None,
        }  # fmt: skip

    def _judged(self, check: GuidedCheck) -> CheckFindings:
        """Return what follows from ``check``, which is asked again and again."""
        found = self._found
        if found is None or found.check is not check:
            result = verdict(check.exam)
            try:
                copy = learned(self._profile, self._source.read_text(encoding="utf-8"), result)
            except (OSError, UnicodeDecodeError, BadProfile):
                copy = None  # the board's file has gone or changed by now: there is nothing to copy
            self._found = found = CheckFindings(check, result.findings, copy)
        return found

    def begin(self, who: str, of: str, few: bool, again: bool) -> None:
        """Begin a check over ``of``: *sensors* or *lights*."""
        kind: Any = of
        self._send(CheckRequest(what="begin", who=who, board=self._profile, of=kind, few=few, again=again))

    def stay(self, who: str) -> None:
        """Let the check of ``who`` go on."""
        self._send(CheckRequest(what="stay", who=who, board=self._profile))

    def answer(self, who: str, number: int, site: str | None, back: bool) -> None:
        """Answer the question with that ``number``."""
        if site is not None and site not in {each.name for each in self._profile.sites}:
            raise Refused(say("This board has no site {site}.", site=site))
        self._send(CheckRequest(what="answer", who=who, board=self._profile, number=number, site=site, back=back))

    def end(self, who: str) -> None:
        """End the check of ``who``."""
        self._send(CheckRequest(what="end", who=who, board=self._profile))

    def _send(self, request: CheckRequest) -> None:
        try:
            self._service.check(request)
        except Refused as refused:
            raise Refused(say("{why}.", why=capital(str(refused)))) from refused

    def learn(self) -> str:
        """Write the board as the last check found it; returns what to do with it."""
        check = self._service.look().check
        copy = self._judged(check).copy if check and not check.who else None
        if copy is None:
            raise Refused(say("There is no other wiring order to learn: run a board check first."))
        try:
            self._copy.parent.mkdir(parents=True, exist_ok=True)
            self._copy.write_text(copy, encoding="utf-8")
        except OSError as error:
            raise Refused(
                say(
                    "{file} cannot be written ({why}): make room on the card, then try again.",
                    file=str(self._copy),
                    why=str(error.strerror),
                )
            ) from error
        changed = read(self._profile.name, copy.encode()).by_bit() != self._profile.by_bit()
        again = say("The service uses the path as its board setting when it restarts.")
        return together(advice(self._copy, chain_changed=changed), again)

    def last_minutes(self) -> str:
        """Return a recording of the last five minutes of the game on the board."""
        self._service.write_down()
        whole = self._history.last_recording()  # its refusals are whole sentences
        try:
            found, _ = self.apart.do("last-minutes", whole)
        except Later:
            raise
        except Refused as wrong:
            raise Refused(say("The recording cannot be cut: {why}.", why=str(wrong))) from wrong
        return str(found)
