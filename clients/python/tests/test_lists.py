"""Lists: pages of any size, a list that changes while it is read, and errors partway."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import svc
from given import ADA, Test, client, new_case


class Lists(Test):
    def test_a_list_yields_every_item_once_with_any_page_size(self):
        with client() as api:
            case = new_case(api)
            for number in range(7):
                api.messages.create(case.id, body=str(number))
            expected = [str(number) for number in range(7)]

            def bodies(messages):
                return [message.body for message in messages]

            self.assertEqual(bodies(api.messages.list(case.id)), expected)
            self.assertEqual(bodies(api.messages.list(case.id, limit=2)), expected)
            page = api.messages.list(case.id, limit=3)
            self.assertEqual([bodies(page.data), page.has_more], [expected[:3], True])
            following = page.next()
            self.assertEqual(bodies(following.data), expected[3:6])
            self.assertEqual(bodies(following.next().data), expected[6:])
            self.assertIsNone(following.next().next())
            sizes = [len(one.data) for one in api.messages.list(case.id, limit=3).pages()]
            self.assertEqual(sizes, [3, 3, 1])
            self.assertEqual(bodies(api.messages.list(case.id).to_list(max=2)), expected[:2])

            async def walked():
                mixed = [one.body async for one in api.messages.list(case.id, limit=2)]
                async with client(svc.AsyncClient) as other:
                    listed = other.messages.list(case.id, limit=2)
                    whole = [one.body async for one in listed]
                    some = await other.messages.list(case.id).to_list(max=3)
                    first = await other.messages.list(case.id, limit=4)
                    second = await first.next()
                return mixed, whole, bodies(some), bodies(second.data)

            mixed, whole, some, second = asyncio.run(walked())
            self.assertEqual([mixed, whole], [expected, expected])
            self.assertEqual([some, second], [expected[:3], expected[4:]])

    def test_a_list_that_grows_is_read_without_gaps_or_repeats(self):
        count = int(os.environ.get("SDK_ROWS", "120"))
        external_id = f"walk-{count}"
        row = {**ADA, "external_id": external_id}
        with client() as api, ThreadPoolExecutor(8) as pool:
            before = {
                one.id for one in pool.map(lambda _: api.patients.create(**row), range(count))
            }
            writing = pool.map(lambda _: api.patients.create(**row).id, range(count // 4))
            seen = [one.id for one in api.patients.list(external_id=external_id)]
            after = before | set(writing)
            later = [one.id for one in api.patients.list(external_id=external_id)]
        self.assertEqual([len(before), len(seen)], [count, len(set(seen))])
        self.assertLessEqual(before, set(seen))
        self.assertLessEqual(set(seen), after)
        self.assertEqual(sorted(after), later)

    def test_nothing_is_sent_before_a_list_is_used(self):
        asked = []
        with client(on_response=lambda info: asked.append(info.path)) as api:
            page = api.medications.list()
            self.assertEqual(asked, [])
            self.assertEqual(len(page.data), 20)
            self.assertEqual(asked, ["/v1/medications"])
            self.assertEqual(len(list(page)), 40)
            self.assertEqual(len(asked), 2)
            self.assertEqual(len(list(api.medications.list())), 40)
            self.assertEqual(len(asked), 3)

    def test_an_error_partway_has_the_id_to_resume_after(self):
        with client() as api:
            seen = []
            listed = api.medications.list(limit=5)
            with self.assertRaises(svc.APIError) as caught:
                for medication in listed:
                    seen.append(medication.medication_id)
                    if len(seen) == 5:
                        api._caller.settings = api._caller.settings._replace(
                            api_key="svc_sk_test_wrong"
                        )
            self.assertEqual(caught.exception.last_id, seen[-1])
        with client() as api:
            rest = api.medications.list(starting_after=caught.exception.last_id)
            self.assertEqual(len(list(rest)), 35)

    def test_slots_have_their_own_cursor(self):
        with client() as api:
            slots = api.visits.slots(state="CA", limit=3).to_list(max=7)
            self.assertEqual(len({slot.id for slot in slots}), 7)
