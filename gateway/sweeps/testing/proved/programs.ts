// Guides to the command line and the client libraries, each with its test.
import type { Proofs } from '../proof.ts'

export const programs: Proofs = {
  'docs/cli.md': [
    [
      "A project's file must not hold a secret, and is refused if it does",
      'clients/cli/output.suite.ts',
      'a project file with a secret is refused, and its value not shown',
    ],
    [
      'Each event is posted once, in order',
      'clients/cli/listen.suite.ts',
      'posts each event once, in order, signed, and as the API returns it',
    ],
    [
      'a file that only you can read keeps it',
      'clients/cli/login.suite.ts',
      'a key comes from standard input, is tried first, and is kept for its owner alone',
    ],
    [
      'With `--json` a refusal is the problem of the API on standard error, and standard output stays empty',
      'clients/cli/output.suite.ts',
      'a refusal with --json is a problem on stderr, and stdout is empty',
    ],
    [
      'The login reaches test mode only, and is approved whole or not at all; `--scopes` asks for less than everything',
      'clients/cli/waiting.suite.ts',
      'login: approved in the browser it works, is renewed when it ends, and logout revokes it',
    ],
    [
      'never from the command line, where the history of the shell would keep it',
      'clients/cli/login.suite.ts',
      'a key comes from standard input, is tried first, and is kept for its owner alone',
    ],
    [
      'In CI, set `SVC_API_KEY` and log in nowhere',
      'clients/cli/login.suite.ts',
      'with SVC_API_KEY set there is nothing to do, and token_store none keeps nothing',
    ],
    [
      '`svc doctor` checks the address, the clock, the login, its scopes and the realtime channel',
      'clients/cli/sandbox.suite.ts',
      'doctor checks the way to the API, and fails with 9 where it ends',
    ],
    [
      'Every operation is a command',
      'clients/cli/commands.suite.ts',
      'each operation of the API and of the preview has one, with its example',
    ],
    [
      '`--help` lists the fields with their types, an example that runs',
      'clients/cli/commands.suite.ts',
      'each example runs as its help prints it',
    ],
    [
      '`--secret @file` keeps one secret across starts',
      'clients/cli/listen.suite.ts',
      'a secret can be kept in a file; addresses elsewhere and live keys need a flag',
    ],
    [
      'it says how many events it missed; with `--backfill` it posts them, marked `↻`',
      'clients/cli/waiting.suite.ts',
      'listen: what a lost connection missed is counted, or filled in order and once',
    ],
    [
      '`svc webhooks verify` tells whether a body was signed with a secret, and if not, why',
      'clients/cli/sandbox.suite.ts',
      'what sign signs, verify accepts, and each fault has its reason',
    ],
    [
      'so `svc docs` needs no network',
      'clients/cli/sandbox.suite.ts',
      'explain, docs, openapi, postman, map, open and completion work without a login',
    ],
    [
      'A pipe gets no color and no question',
      'clients/cli/output.suite.ts',
      'a pipe that closes early is no failure, and gets no color',
    ],
    [
      '`--format` is `table`, `json`, `jsonl`, `yaml` or `ids`',
      'clients/cli/output.suite.ts',
      '--json is what the API answers; jsonl, ids, yaml, --fields and --jq come from it',
    ],
    [
      'In live mode tables shorten what says who a patient is',
      'clients/cli/src/output/mask.test.ts',
      'masked: what says who a patient is is shortened at any depth, and ids and states stay',
    ],
    [
      'A flag counts before the environment, then `./.svc.toml` of the project, the profile, and the default',
      'clients/cli/output.suite.ts',
      'flag, environment, project, profile and default count in this order',
    ],
    [
      '`--ephemeral` gives it a database of its own',
      'clients/cli/dev.suite.ts',
      'starts a platform for one command, ends with its code, and leaves nothing',
    ],
    [
      'starts without the network, and later `svc dev` finds it there',
      'clients/cli/dev.suite.ts',
      'a packed platform is unpacked once, and starts without a network',
    ],
    [
      '| 3 | the API refused; the code is on standard error |',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      '`--print` shows it as JSON, which you can edit and play with `--file`',
      'clients/cli/sandbox.suite.ts',
      'a scenario of your own that is not as expected ends with 9 and says where',
    ],
  ],
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
