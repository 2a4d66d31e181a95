"""A program that runs every row of clients/testing/faults.json with both clients."""

import asyncio
import json
import os
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import svc

GIVEN = json.loads(Path(sys.argv[1]).read_text("utf-8"))
ADA = GIVEN["ada"]
PHOTO = {
    "kind": "photo_id",
    "filename": "id.png",
    "mime": "image/png",
    "body": bytes(1000),
}
CREDENTIALS = {
    "client": GIVEN["client"],
    "wrong secret": {**GIVEN["client"], "client_secret": "wrong"},
}
direct = svc.Client(api_key=GIVEN["key"], base_url=GIVEN["api"], proxy=False)
patient = direct.patients.create(**ADA).id
opener = build_opener(ProxyHandler({}))


def ask(path="", body=None):
    with opener.open(GIVEN["control"] + path, body) as answer:
        return json.load(answer)


def failure_of(error):
    return {
        "error": type(error).__name__,
        **{
            name: getattr(error, name, None)
            for name in ("status", "code", "retry_after", "attempts")
        },
        "cause": type(error.__cause__).__name__,
        "message": f"{error} {error.__cause__ or ''}",
    }


def blocking(row, options, external_id):
    with svc.Client(**options) as api:
        if row.get("call") == "get":
            return api.patients.with_raw_response.get(patient)
        if row.get("call") == "upload":
            return api.files.upload(**PHOTO, patient=patient)
        return api.patients.with_raw_response.create(**{**ADA, "external_id": external_id})


def asynchronous(row, options, external_id):
    async def main():
        async with svc.AsyncClient(**options) as api:
            if row.get("call") == "get":
                return await api.patients.with_raw_response.get(patient)
            if row.get("call") == "upload":
                return await api.files.upload(**PHOTO, patient=patient)
            values = {**ADA, "external_id": external_id}
            return await api.patients.with_raw_response.create(**values)

    return asyncio.run(main())


def run(row, faults, call):
    opened = ask(body=json.dumps({"faults": faults, "way": row.get("way")}).encode())
    external_id = str(uuid.uuid4())
    options = {
        **CREDENTIALS.get(row.get("credential"), {"api_key": GIVEN["key"]}),
        "base_url": opened["url"],
        **row.get("options", {}),
        **opened["options"],
    }
    os.environ.update(opened["env"])
    began = time.monotonic()
    try:
        response = call(row, options, external_id)
        outcome = {
            "attempts": getattr(response, "attempts", None),
            "replayed": getattr(response, "replayed", None),
            "size": getattr(response, "size_bytes", None),
        }
    except svc.SvcError as error:
        outcome = failure_of(error)
    took = time.monotonic() - began
    for name in opened["env"]:
        del os.environ[name]
    seen = ask(f"/{opened['number']}")
    return {
        "name": row["name"],
        **outcome,
        "took": took,
        "rows": len(direct.patients.list(external_id=external_id).to_list(max=10)),
        "keys": len(set(seen["keys"]) - {None}),
        "through": [line.split(" ")[0] for line in seen["through"]],
        "ways": list(dict.fromkeys(line.split(" ")[0] for line in seen["through"])),
    }


runs = [
    (row, faults, call)
    for row in GIVEN["rows"]
    for faults in row.get("each", [row.get("faults", [])])
    for call in (blocking, asynchronous)
]
# Environment variables apply to every thread, so rows that set them run alone.
alone = [one for one in runs if "way" in one[0]]
with ThreadPoolExecutor(8) as pool:
    outcomes = list(pool.map(lambda one: run(*one), [one for one in runs if one not in alone]))
print(json.dumps(outcomes + [run(*one) for one in alone]))
