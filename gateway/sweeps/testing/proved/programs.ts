// The guide to the client libraries, each with its test.
import type { Proofs } from '../proof.ts'

export const programs: Proofs = {
  'docs/sdks.md': [
    [
      'refuses a live key before anything is sent',
      'clients/typescript/credentials.test.ts',
      'a live key from a function is refused before the first request',
    ],
    [
      'It has no dependencies',
      'clients/typescript/package.test.ts',
      'nothing has to be installed beside it, and every entry is there',
    ],
    [
      'gives each event once and in order',
      'clients/typescript/realtime.test.ts',
      'each event once and in order, also what was written between two connections',
    ],
    [
      'No error and no log line holds a body, a query or the id of a patient',
      'clients/typescript/privacy.test.ts',
      'at the level that logs the most',
    ],
    [
      '`mockSvc` is the sandbox in your process',
      'clients/typescript/sandbox.test.ts',
      'mockSvc: does what the sandbox of the API does',
    ],
    [
      'A write carries one key on every attempt',
      'clients/typescript/retries.test.ts',
      'retries: one row and one event, with one key',
    ],
    [
      'with a method for each operation',
      'clients/typescript/methods.test.ts',
      'methods: one for each of the 65 operations',
    ],
    [
      '`for await` reads every page',
      'clients/typescript/lists.test.ts',
      'lists: every row once and in order, while others are written',
    ],
    [
      '`toArray({ max: 200 })` loads the first 200 items',
      'clients/typescript/lists.test.ts',
      'lists: pages, arrays with a limit, and an early end without another request',
    ],
    [
      'the error has `lastId`, which `starting_after` takes',
      'clients/typescript/lists.test.ts',
      'lists: an error on the way has the id to go on after',
    ],
    [
      'The library tries twice again when that can help',
      'clients/typescript/retries.test.ts',
      'after the last attempt the error says so',
    ],
    [
      '`ConnectionError` and `TimeoutError` have the key of the write with which to try again later',
      'clients/typescript/retries.test.ts',
      'maxRetries: 0 tries once, and the error has the key to try again',
    ],
    ['| any other refusal | no |', 'clients/typescript/retries.test.ts', '%i %s'],
    [
      '| 409 because the first request is still running | yes, after `Retry-After` |',
      'clients/typescript/retries.test.ts',
      '409 idempotency_in_progress: tried again, when Retry-After says',
    ],
    [
      'keeps the token until shortly before it ends',
      'clients/typescript/credentials.test.ts',
      'calls that come together use one token; a refused one is asked for anew',
    ],
    [
      'The libraries read both variables at their first request',
      'clients/typescript/credentials.test.ts',
      'without a credential the client can be made, and the first call names the variable',
    ],
    ['`reason` names the mistake', 'clients/typescript/webhooks.test.ts', 'names the mistake'],
    [
      'While a secret is being replaced, pass both in an array',
      'clients/typescript/webhooks.test.ts',
      'takes bytes, and any of several secrets',
    ],
    [
      '`unwrap` takes a `Request` whose body nothing has read',
      'clients/typescript/webhooks.test.ts',
      'unwrap answers the event of a signed request, and isEvent narrows it',
    ],
    [
      '`@svc/sdk/webhooks` is 3 kB',
      'clients/typescript/package.test.ts',
      'size: the client in 40 kB, what a receiver of webhooks needs in 3 kB',
    ],
    [
      'Node 20 has no `WebSocket`, so pass that of the package `ws` there',
      'clients/typescript/realtime.test.ts',
      'a runtime without WebSocket says what to pass',
    ],
    [
      '`svc.events.iterate({ since })` does the same by polling',
      'clients/typescript/several-calls.test.ts',
      'events.iterate: goes on where it was left, and waits for what comes',
    ],
    [
      'Results are frozen dataclasses',
      'clients/python/tests/test_results.py',
      'test_results_are_frozen_and_name_no_value_of_a_patient',
    ],
    [
      'whose times have a time zone',
      'clients/python/tests/test_results.py',
      'test_times_are_aware_and_written_as_they_were',
    ],
    [
      '`to_dict()` gives the JSON back',
      'clients/python/tests/test_results.py',
      'test_to_dict_is_the_json_of_the_api',
    ],
    [
      'Their `repr` shows ids and statuses only',
      'clients/python/tests/test_results.py',
      'test_results_are_frozen_and_name_no_value_of_a_patient',
    ],
    [
      '`Client` blocks until an answer has arrived, and `AsyncClient` is its like for asyncio',
      'clients/python/tests/test_client.py',
      'test_both_clients_have_a_method_for_each_operation',
    ],
    [
      '| a field that is left out | `None`; where `None` clears a value, `NOT_GIVEN` |',
      'clients/python/tests/test_results.py',
      'test_none_leaves_out_and_clears_where_it_has_a_meaning',
    ],
    [
      'Each code has a class of its own',
      'clients/python/tests/test_client.py',
      'test_each_code_has_a_class_and_an_unknown_one_is_an_api_error',
    ],
  ],
}
