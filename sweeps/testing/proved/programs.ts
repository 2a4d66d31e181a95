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
    [
      'runs on Node 20 or newer, Bun, Deno and Workers',
      'clients/typescript/package.test.ts',
      'runtimes: the installed package goes through the loop',
    ],
    [
      'as ES module and as CommonJS',
      'clients/typescript/package.test.ts',
      'types: a strict program compiles as both kinds of module, also the declarations',
    ],
    [
      '`await` gives one page, with `data`, `has_more` and `next()`',
      'clients/typescript/lists.test.ts',
      'lists: a loop asks for full pages with every filter, await for one page as the API has it',
    ],
    [
      '| the connection failed, ended in the middle, or was too slow | yes |',
      'clients/typescript/retries.test.ts',
      'retries: one row and one event, with one key',
    ],
    [
      '| 408, 429, 500, 502, 503 or 504 | yes, after `Retry-After` if the answer names up to 60 seconds |',
      'clients/typescript/retries.test.ts',
      '%i: tried again',
    ],
    [
      '| 408, 429, 500, 502, 503 or 504 | yes, after `Retry-After` if the answer names up to 60 seconds |',
      'clients/typescript/retries.test.ts',
      'a Retry-After of more than a minute is in the error',
    ],
    [
      'Every refusal is an `APIError` with `code`, `hint`, `requestId`',
      'clients/typescript/errors.test.ts',
      'each code of the contract has a class of its own',
    ],
    [
      'writes a line for each answer: method, path as a template, status, milliseconds, request id',
      'clients/typescript/privacy.test.ts',
      'at the level that logs the most',
    ],
    [
      'The library asks [the authorization server](/docs/oauth) that the API names',
      'clients/python/tests/test_client.py',
      'test_the_authorization_server_is_the_one_that_the_api_names',
    ],
    [
      '`accessToken` takes a function for tokens of any other grant',
      'clients/python/tests/test_client.py',
      'test_a_token_may_come_from_a_function',
    ],
    [
      '`signWebhook` makes such a request for your tests',
      'clients/typescript/webhooks.test.ts',
      'unwrap answers the event of a signed request, and isEvent narrows it',
    ],
    [
      '`recordEvents` answers the events that a piece of work caused',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'connects again when a connection ends, and reads from the list what was written meanwhile',
      'clients/typescript/realtime.test.ts',
      'each event once and in order, also what was written between two connections',
    ],
    [
      'It runs on Python 3.9 or newer, without dependencies',
      'clients/python/python.test.ts',
      '${python}: the wheel installs offline, and does what its tests say',
    ],
    [
      'Everything above holds in Python, with names in its spelling',
      'clients/python/tests/test_loop.py',
      'test_it_is_the_same_on_the_platform_and_in_the_sandbox_in_memory',
    ],
    [
      'With asyncio, calls are awaited and lists are read with `async for`',
      'clients/python/tests/test_loop.py',
      'test_asyncio_walks_it_with_the_same_names',
    ],
    [
      '`verify_signature`, `unwrap` and `sign_webhook` are in `svc.webhooks`; the sandbox for tests is in `svc.testing`',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      '| `svc.realtime.subscribe()` | none: `svc.events.iterate(since=…)` polls |',
      'clients/python/tests/test_loop.py',
      'test_events_are_recorded_and_iterated_in_order',
    ],
    [
      '| `No credential`, `There is no credential` | no key was passed, and `SVC_API_KEY` is not set |',
      'clients/typescript/credentials.test.ts',
      'without a credential the client can be made, and the first call names the variable',
    ],
    [
      "| `expectMode is test`, `expect_mode is 'test'` | the key is of live mode |",
      'clients/python/tests/test_client.py',
      'test_a_credential_of_the_other_mode_sends_nothing',
    ],
    [
      '| `check baseUrl`, `check base_url` | the answer is no answer of the API |',
      'clients/python/tests/test_client.py',
      'test_an_answer_that_is_not_of_the_api_says_so',
    ],
    [
      '| `svc.cases.get(id).withResponse()` | `svc.cases.with_raw_response.get(id)` |',
      'clients/python/tests/test_loop.py',
      'test_asyncio_walks_it_with_the_same_names',
    ],
    [
      '| `error.requestId` | `error.request_id` |',
      'clients/python/tests/test_client.py',
      'test_an_error_says_what_to_do_and_nothing_of_the_request',
    ],
    [
      'Pass `clientId` and `clientSecret`, or set `SVC_CLIENT_ID` and `SVC_CLIENT_SECRET` in place of the key',
      'clients/python/tests/test_client.py',
      'test_client_credentials_may_come_from_the_environment',
    ],
    [
      '`body_parsed` when a framework parsed the body first, `wrong_secret_kind` when an API',
      'clients/typescript/webhooks.test.ts',
      'names the mistake',
    ],
    [
      '| `svc.consents.recordBoth(id, { … })` | `svc.consents.record_both(id, …)` |',
      'clients/python/tests/test_loop.py',
      'test_it_is_the_same_on_the_platform',
    ],
    [
      '| `toArray({ max: 200 })` | `to_list(max=200)` |',
      'clients/python/tests/test_loop.py',
      'test_it_is_the_same_on_the_platform',
    ],
    [
      '| `consent_required` | the case names no current consent of both kinds |',
      'clients/typescript/errors.test.ts',
      'each code of the contract has a class of its own',
    ],
  ],
}
