"""The figures of a running board as Prometheus reads them. They name no person, no game and no key."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from controller.measured import Distribution, Measured

US = 1_000_000  # in a second


class ExposedFigures(msgspec.Struct, frozen=True):
    """What is told at one moment; None of what this board does not know, which is left out."""

    measured: Measured
    touches: int
    faults: int
    watching: int
    scans_per_s: int | None
    free_bytes: int | None
    link_up: bool


def exposition(figures: ExposedFigures) -> bytes:
    """Return ``figures`` in Prometheus's text format, version 0.0.4."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_OfBoard(figures))
    return generate_latest(registry)


class _OfBoard(Collector):
    def __init__(self, figures: ExposedFigures) -> None:
        self._figures = figures

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily]:
        """Yield every figure that is known."""
        figures, measured = self._figures, self._figures.measured
        yield _histogram(
            "lift_to_light", "From a lift in a game to the lights that follow.", measured.lift_to_light.distribution()
        )
        yield _histogram("table_step", "What an event takes at the table.", measured.table_step.distribution())
        yield _histogram("request", "What a request to the panel takes.", measured.request.distribution())
        yield _counter("touches", "Changes of sensors.", figures.touches)
        yield _counter("games", "Games begun.", measured.counted("games"))
        yield _counter("refused_requests", "Requests that were refused.", measured.counted("refused_requests"))
        yield _counter("journal_writes", "Times that the journal was written.", measured.counted("journal_writes"))
        yield _gauge("link_up", "1 while the sensors answer.", int(figures.link_up))
        yield _gauge("pages", "Pages that are open, on phones and elsewhere.", figures.watching)
        yield _gauge("faults", "Faults that stand.", figures.faults)
        if figures.scans_per_s is not None:
            yield _gauge("scans_per_second", "How often the sensor board reads its sensors.", figures.scans_per_s)
        if figures.free_bytes is not None:
            yield _gauge("free_bytes", "Room for games.", figures.free_bytes)


def _histogram(name: str, told: str, took: Distribution) -> HistogramMetricFamily:
    buckets = [(str(bound_us / US), count) for bound_us, count in took.up_to_us.items()]
    return HistogramMetricFamily(
        f"beaconboard_{name}_seconds", told, buckets=[*buckets, ("+Inf", took.count)], sum_value=took.total_us / US
    )


def _counter(name: str, told: str, value: int) -> CounterMetricFamily:
    return CounterMetricFamily(f"beaconboard_{name}", told, value=value)


def _gauge(name: str, told: str, value: int) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"beaconboard_{name}", told, value=value)
