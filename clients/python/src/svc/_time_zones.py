"""Patients' time zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .generated.results import Patient


def time_zone_of(patient: Patient) -> str:
    """The IANA time zone of a patient's state, as in `visit.time_zone`, for `zoneinfo.ZoneInfo`.

    If the state has two, returns the zone where most residents live.
    """
    from .generated.time_zones import TIME_ZONES

    return TIME_ZONES[patient.address.state]
