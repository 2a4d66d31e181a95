"""What the tests were given: a platform, a proxy in front of it, and names and vectors."""

import json
import logging
import os
import unittest
import uuid
from pathlib import Path
from urllib.request import urlopen

import svc
from svc.testing import fixtures
from svc.transport import AsyncHttpTransport, HttpTransport

GIVEN = json.loads(Path(os.environ["SDK_TEST"]).read_text("utf-8"))
ADA = fixtures.patient_params()


class Lines(logging.Handler):
    """Every line of every logger, from the beginning of the run."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.name} {self.format(record)}")


logged = Lines()
logging.getLogger().addHandler(logged)
logging.getLogger().setLevel(logging.DEBUG)


def client(kind=svc.Client, **options):
    return kind(**{"api_key": GIVEN["key"], "base_url": GIVEN["api"], **options})


class AtThisAddress(HttpTransport):
    """Storage is reached where the platform of the tests is, not where it says it is."""

    def send(self, request, timeout):
        url = request.url.replace(GIVEN["public"], GIVEN["api"])
        return super().send(request._replace(url=url), timeout)


class AsyncAtThisAddress(AsyncHttpTransport):
    """The same for asyncio."""

    async def send(self, request, timeout):
        url = request.url.replace(GIVEN["public"], GIVEN["api"])
        return await super().send(request._replace(url=url), timeout)


class Faults:
    """The address of a call that fails as planned, and the keys that arrived there."""

    def __init__(self, *plan):
        self.name = uuid.uuid4().hex
        faults = [self.made_up(one) if one[0].isdigit() else one for one in plan]
        with urlopen(GIVEN["proxies"], json.dumps(faults).encode()) as answer:
            opened = json.load(answer)
        self.url, self.number = opened["url"], opened["number"]

    @staticmethod
    def made_up(fault):
        """`503`, `503+2` with Retry-After, `409+slot_unavailable` with a code."""
        status, _, more = fault.partition("+")
        if more.isdigit():
            headers = {"retry-after": more}
            return {"status": int(status), "code": "rate_limited", "headers": headers}
        return {"status": int(status), **({"code": more} if more else {})}

    def keys(self):
        with urlopen(f"{GIVEN['proxies']}/{self.number}") as answer:
            return json.load(answer)["keys"]


def new_case(api, **members):
    """A case of a new patient with both consents."""
    patient = api.patients.create(**ADA)
    both = api.consents.record_both(patient.id, telehealth="2026-09-01", privacy="2026-09-01")
    medication = api.medications.list(limit=1).data[0].medication_id
    return api.cases.create(
        patient=patient.id,
        consent_ids=[consent.id for consent in both],
        requested_medications=[{"medication_id": medication}],
        **members,
    )


class Test(unittest.TestCase):
    maxDiff = None
