// Guides to idempotency and to errors, each with its test.
import type { Proofs } from '../proof.ts'

export const calls: Proofs = {
  'docs/idempotency-and-retries.md': [
    [
      'The body is the stored one, byte for byte',
      'clinical/pipeline/idempotency.test.ts',
      'returns the first answer, not the current state',
    ],
    [
      'a replay then says `{"id":"pat_…","deleted":true}`, because the details are gone',
      'clinical/patients/delete.test.ts',
      'hold no personal data: a replay answers that the patient is deleted',
    ],
    [
      'Only what was committed is kept',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      'A refused write never uses up its key',
      'clinical/pipeline/idempotency.test.ts',
      '400, 404 and 409, then a valid request with the same key',
    ],
    [
      'your first request still runs',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a duplicate of a running request is refused at once and writes nothing',
    ],
    [
      'a performed write never runs twice',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a write whose answer was lost after the commit is answered as the first',
    ],
    [
      'A library that prints JSON in another order after an upgrade still sends the same request',
      'clinical/pipeline/idempotency.test.ts',
      'ignores the order of members',
    ],
    [
      'A mistake of the caller, so it is never answered with the wrong resource',
      'clinical/pipeline/idempotency.test.ts',
      'another operation, another method, another id, another parameter',
    ],
    ['Without one, nothing runs', 'clinical/pipeline/idempotency.test.ts', '%s: no key'],
    [
      '`Original-Request-Id` names the request that did the work',
      'clinical/pipeline/idempotency.test.ts',
      'answers the first body, Location and request id, and writes nothing',
    ],
    [
      'They belong to your integration, one organization and one mode',
      'clinical/pipeline/idempotency-scope.test.ts',
      'is a separate key in another organization of the same integration',
    ],
    [
      'Record it, and use the same key for the corrected request',
      'clinical/pipeline/idempotency.test.ts',
      'consent_required, then the request with the new consent',
    ],
    [
      '| 2xx | yes | replayed, with the header |',
      'clinical/sweeps/every-operation.test.ts',
      '${id} replays the same bytes for the same key, audits it as replayed and writes nothing',
    ],
    [
      '| 4xx | no | judged anew; another body is fine |',
      'clinical/sweeps/every-operation.test.ts',
      '${id} runs again with the key of a request that was refused',
    ],
    [
      '| 429 | no | runs, after `Retry-After` |',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a write that the rate limit refused can be sent again',
    ],
    [
      '| 5xx, or none at all | only if it was committed | replayed if it was, run if it was not |',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      '| `idempotency_key_reused` | one key for two requests |',
      'clinical/sweeps/every-operation.test.ts',
      '${id} refuses a key that was used for another request',
    ],
    [
      'It shows the patient as it was then',
      'clinical/pipeline/idempotency.test.ts',
      'returns the first answer, not the current state',
    ],
    [
      '| any other 4xx | no: change the request |',
      'clinical/sweeps/every-operation.test.ts',
      '${id} runs again with the key of a request that was refused',
    ],
    [
      'One of them got a 409 that says to wait, or the replay',
      'clinical/sweeps/races.test.ts',
      'races: 100 requests with one idempotency key create one patient and one event',
    ],
    [
      '| `service_unavailable` | we do not answer at the moment | wait `Retry-After`, send the same again |',
      'clinical/files/upload.test.ts',
      '503: while storage is unavailable nothing is written, and the same key works afterwards',
    ],
    [
      'Member order and white space in your body do not count, only values',
      'clinical/pipeline/idempotency.test.ts',
      'ignores the order of members',
    ],
    [
      'Send the request again, with the same key',
      'clinical/pipeline/idempotency.test.ts',
      'answers the first body, Location and request id, and writes nothing',
    ],
    [
      'Reads need no key, and may be sent again at will',
      'clients/python/tests/test_retries.py',
      'test_reads_are_tried_again_without_a_key',
    ],
    [
      'It retries what the table says, and nothing else',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      "It asked for the consent that the shell had recorded, with the same key, and got the shell's answer",
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      '| no answer, a timeout, a broken connection | yes, the same key, waiting longer each time |',
      'clients/python/tests/test_retries.py',
      'test_a_cut_is_tried_again_and_writes_one_row',
    ],
    [
      '| 500 | yes, the same key, waiting longer each time |',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      '| 429, 503 | yes, the same key, after `Retry-After` seconds |',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a write that the rate limit refused can be sent again',
    ],
    [
      '| `idempotency_in_progress` | the first one still runs |',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a duplicate of a running request is refused at once and writes nothing',
    ],
    [
      'One patient, and the first answer three times',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
  ],
  'docs/errors.md': [
    [
      'A connection also ends when a request is sent on it before the answer to the one before it has come',
      'sweeps/wire.test.ts',
      'a pipelined request is never executed',
    ],
    [
      'one entry for every wrong field, so that one answer is enough to fix them all',
      'clinical/sweeps/every-request.test.ts',
      '${id} reports all faults at once: the version, then parameters, then members',
    ],
    [
      'Every error is `application/problem+json`',
      'http/problem-formats.test.ts',
      '%s has every required member without further details',
    ],
    [
      '`title` is fixed for a code, `detail` tells this one occasion, and `hint` says the next call to make',
      'http/problem-formats.test.ts',
      '%s has every required member without further details',
    ],
    [
      'It cannot take effect twice',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a write whose answer was lost after the commit is answered as the first',
    ],
    [
      'Nothing was written and the key is unused',
      'clinical/sweeps/every-operation.test.ts',
      '${id} runs again with the key of a request that was refused',
    ],
    [
      'What is no HTTP request is refused before it has a `request_id`',
      'sweeps/wire.test.ts',
      'another protocol: 400',
    ],
    [
      'With it you find the call in [the request log](/docs/requests)',
      'sweeps/preview.test.ts',
      'preview: a call is found by the Request-Id of its response, whichever API it called',
    ],
    [
      'Each entry has a `pointer` into your body',
      'clinical/patients/create.test.ts',
      'reports every fault at once, in document order',
    ],
    [
      '- **409 with `Retry-After`**: yes, after that time; the first request is still running',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a duplicate of a running request is refused at once and writes nothing',
    ],
    [
      '- **429 and 503**: yes, the same request with the same `Idempotency-Key`, after `Retry-After` seconds',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a write that the rate limit refused can be sent again',
    ],
    [
      '- **500**: yes, with the same key, waiting longer each time',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      'The address in `type` leads to a page of the same facts, on the host that answered you',
      'gateway/server/app.test.ts',
      'serves the site at every other path, including the pages of problem codes',
    ],
  ],
}
