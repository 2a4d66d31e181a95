"""Subscriptions over a real socket: each event arrives once, in order, across lost connections."""

import asyncio
import time
from datetime import datetime, timezone
from unittest import mock

import svc
from given import ADA, GIVEN, Test, client
from svc import _realtime
from svc._websocket import Closed, Socket
from svc.transport import AsyncHttpTransport


class Sockets(AsyncHttpTransport):
    """Connects to the tests' sockets, which have their own port."""

    def __init__(self):
        super().__init__()
        self.links = []

    async def connect(self, url):
        link, origin = await super().connect(url.replace(GIVEN["api"], GIVEN["sockets"]))
        self.links.append(link)
        return link, origin


async def until(check, seconds=20):
    end = time.monotonic() + seconds
    while not check():
        if time.monotonic() > end:
            raise AssertionError("it did not happen in time")
        await asyncio.sleep(0.01)


async def follow(api, found, **options):
    async for event in api.realtime.subscribe(**options):
        found.append((event.type, event.resource.id))


async def until_connected(task, found, write):
    """The subscription starts with the next event, so it may miss events written before that."""
    end = time.monotonic() + 20
    while not found:
        if task.done() or time.monotonic() > end:
            raise AssertionError(task)
        await write(1)
        await asyncio.sleep(0.05)


class Realtime(Test):
    def test_each_event_arrives_once_in_order_even_after_a_lost_connection(self):
        async def main():
            transport = Sockets()
            found, written = [], []
            async with client(svc.AsyncClient, transport=transport) as api:

                async def write(count):
                    for _ in range(count):
                        patient = await api.patients.create(**ADA)
                        written.append(("patient.created.v1", patient.id))

                task = asyncio.ensure_future(follow(api, found))
                await until_connected(task, found, write)
                del written[: written.index(found[0])]
                await write(3)
                await until(lambda: len(found) >= len(written))
                transport.links[-1].close()
                await write(5)
                await until(lambda: len(found) >= len(written))
                await write(2)
                await until(lambda: len(found) >= len(written))
                task.cancel()
                self.assertEqual(found, written)
                self.assertEqual(len(transport.links), 2)

        asyncio.run(main())

    def test_an_event_that_arrives_instead_of_an_answer_to_a_ping_is_delivered(self):
        async def main():
            found, pinged = [], []
            send_ping = Socket.ping

            async def write(_=1):
                patient = await api.patients.create(**ADA)
                return "patient.created.v1", patient.id

            async def ping(socket):
                if not pinged:
                    pinged.append(await write())
                    await until(lambda: not socket._messages.empty())
                await send_ping(socket)

            async with client(svc.AsyncClient, transport=Sockets()) as api:
                task = asyncio.ensure_future(follow(api, found))
                await until_connected(task, found, write)
                with mock.patch.object(_realtime, "SILENCE_SECONDS", 0.05):
                    with mock.patch.object(Socket, "ping", ping):
                        # The next event ends the wait that began before the shorter silence.
                        last = await write()
                        await until(lambda: last in found and pinged and pinged[0] in found)
                task.cancel()
            self.assertEqual(len(set(found)), len(found))

        asyncio.run(main())

    def test_a_clock_that_is_ahead_renews_no_token_early(self):
        async def main():
            found = []
            transport = Sockets()
            since = datetime.now(timezone.utc)
            true_time = time.time
            async with client(svc.AsyncClient, transport=transport) as api:
                await api.patients.create(**ADA)
                with mock.patch("time.time", lambda: true_time() + 3300):
                    await api.organization.get()
                    task = asyncio.ensure_future(follow(api, found, since=since))
                    await until(lambda: found)
                    task.cancel()
            self.assertEqual(len(transport.links), 1)

        asyncio.run(main())

    def test_a_connection_that_ends_without_an_event_is_replaced_after_a_pause(self):
        async def main():
            pauses = []
            pause = asyncio.sleep

            async def sleep(seconds):
                pauses.append(seconds)
                await pause(0)

            transport = Sockets()
            async with client(svc.AsyncClient, transport=transport) as api:
                # Every token is about to expire.
                with mock.patch.object(_realtime, "RENEW_BEFORE_SECONDS", 7200):
                    with mock.patch.object(asyncio, "sleep", sleep):
                        task = asyncio.ensure_future(follow(api, []))
                        while len(transport.links) < 3:
                            await pause(0.01)
                        task.cancel()
            self.assertGreaterEqual(len(pauses), 2)

        asyncio.run(main())

    def test_a_connection_that_is_renewed_without_an_event_is_replaced_without_a_pause(self):
        async def main():
            pauses, greeted = [], set()
            pause, read = asyncio.sleep, Socket.next

            async def sleep(seconds):
                pauses.append(seconds)
                await pause(0)

            async def until_greeted(socket, timeout):
                if socket in greeted:
                    return Closed(4001, "the token has expired")
                message = await read(socket, timeout)
                greeted.add(socket)
                return message

            transport = Sockets()
            async with client(svc.AsyncClient, transport=transport) as api:
                with mock.patch.object(Socket, "next", until_greeted):
                    with mock.patch.object(asyncio, "sleep", sleep):
                        task = asyncio.ensure_future(follow(api, []))
                        while len(transport.links) < 3:
                            await pause(0.01)
                        task.cancel()
            self.assertEqual(pauses, [])

        asyncio.run(main())

    def test_since_and_types_filter_and_a_refusal_ends_the_loop(self):
        async def main():
            transport = Sockets()
            async with client(svc.AsyncClient, transport=transport) as api:
                first = await api.patients.create(**ADA)
                second = await api.patients.create(**ADA)
                await api.patients.update(second.id, phone="+14155550177")
                found = []
                options = {"since": first.created_at, "types": ["patient.updated.v1"]}
                task = asyncio.ensure_future(follow(api, found, **options))
                await until(lambda: found)
                self.assertEqual(found, [("patient.updated.v1", second.id)])
                task.cancel()
            async with client(svc.AsyncClient, api_key=GIVEN["narrow"]) as narrow:
                with self.assertRaises(svc.InsufficientScopeError):
                    await follow(narrow, [])

        asyncio.run(main())
