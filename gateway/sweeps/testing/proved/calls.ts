// Guides to calls, errors, limits and the request log, each with its test.
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
  ],
  'docs/errors.md': [
    [
      'A connection also ends when a request is sent on it before the answer to the one before it has come',
      'gateway/sweeps/wire.test.ts',
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
      'gateway/sweeps/wire.test.ts',
      'another protocol: 400',
    ],
  ],
  'docs/limits-and-versions.md': [
    [
      'A slash at the end is redirected with 308 to the path without it',
      'gateway/sweeps/v1-paths.test.ts',
      'redirects each operation with 308, which keeps method and query',
    ],
    [
      'a date that we do not serve is refused',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown API-Version',
    ],
    [
      'They are the same in both modes, and each mode counts for itself',
      'clinical/pipeline/rate-limits.test.ts',
      'rate limits: calls of an integration and failures of an address are shared by gateways',
    ],
    [
      'bad ones get 429 instead of 401; a valid key is accepted from any address',
      'gateway/sweeps/v1-limits.test.ts',
      'v1: after 60 failed authentications bad credentials get 429, valid ones are accepted',
    ],
    [
      'Each answer to a valid key says what is left',
      'gateway/sweeps/v1.test.ts',
      'a read has all common headers',
    ],
    [
      'It begins with its first request and does not slide',
      'http/counter.test.ts',
      'counter: a window begins with the first call of its key, and each key has its own',
    ],
    [
      'Over the limit the answer is 429 `rate_limited` with `Retry-After`, never 0',
      'gateway/sweeps/v1-limits.test.ts',
      'v1: 429 with Retry-After and five headers, for the integration that exceeded its quota',
    ],
    [
      "A write's `Idempotency-Key` is still unused",
      'clinical/pipeline/idempotency-scope.test.ts',
      'a write that the rate limit refused can be sent again',
    ],
    [
      'a row that is created while you page comes at the end, and nothing is skipped or doubled',
      'clinical/testing/pages.suite.ts',
      '${list} neither skips nor repeats when rows are added while it is read',
    ],
    [
      'The id is a position: it works even when its row is gone',
      'clinical/testing/pages.suite.ts',
      '${list} takes a cursor whose row does not exist as a position',
    ],
    [
      'A parameter that an operation does not have is an error',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown query parameter',
    ],
    [
      'A body is one JSON object in UTF-8, sent as `application/json`, without compression',
      'gateway/sweeps/v1-input.test.ts',
      'a content encoding is refused',
    ],
    [
      'A body that has a name twice in one object is refused with `invalid_json`',
      'http/json-body.test.ts',
      'json-body: refuses a name that is repeated in one object: %s',
    ],
    [
      'A path that exists under another method is a 405',
      'gateway/sweeps/v1-paths.test.ts',
      '405 for another method; 404 for an unknown path, two slashes or an empty id',
    ],
  ],
  'docs/requests.md': [
    [
      'A reset of the sandbox keeps the log, also where it removes the events',
      'clinical/requests/retrieve.test.ts',
      'is kept by a reset of the sandbox, which removes the events themselves',
    ],
    [
      'It never holds a value',
      'clinical/pipeline/body-shape.test.ts',
      'body shape: holds no value and no unknown name of any operation’s body',
    ],
    [
      'only a live key can read it',
      'clinical/requests/project.test.ts',
      'of another integration, mode or organization is not found',
    ],
    [
      'Every answer names its version in `API-Preview`',
      'gateway/sweeps/preview.test.ts',
      'also a refusal, and one of an unknown path or method',
    ],
    [
      'the fields that the operation knows, with their JSON types, and the length of an array',
      'clinical/requests/retrieve.test.ts',
      'has the pointer, types and length of each known field',
    ],
    [
      '`nickname` is counted and not named',
      'clinical/requests/retrieve.test.ts',
      'has the pointer, types and length of each known field',
    ],
    [
      '`events` are those that the call wrote, in their order',
      'clinical/requests/retrieve.test.ts',
      'are its events in their order, and none for a replay, a read or a refusal',
    ],
    [
      '`deliveries` are their first deliveries to each of your endpoints that still exists',
      'clinical/requests/retrieve.test.ts',
      'are the deliveries of its events, with their state, to each endpoint',
    ],
    [
      'A redelivery is in the log as a call of its own',
      'clinical/requests/retrieve.test.ts',
      'are the deliveries of its events, with their state, to each endpoint',
    ],
    [
      'so a slow one may enter behind a quick one that arrived later',
      'clinical/requests/project.test.ts',
      'also one whose transaction ends after those that began later',
    ],
    [
      '- **Values.** Neither bodies nor answers, in test or in live mode',
      'clinical/requests/retrieve.test.ts',
      'of a patient is nowhere a value, in the audit or in the log',
    ],
    [
      '- **Calls without a valid credential.** They belong to no integration',
      'clinical/requests/project.test.ts',
      'without a valid credential is in no log',
    ],
    [
      '| `replayed` | the answer was the stored one of an earlier call with the same `Idempotency-Key` |',
      'clinical/requests/project.test.ts',
      'that was answered from its idempotency record is marked as replayed',
    ],
    [
      'In the portal, the page *Requests* shows the same log, the newest call first',
      'portal/pages/requests/requests.test.ts',
      'the newest calls are listed page after page, within the filters',
    ],
    [
      'The page of a call says what its error means too',
      'portal/pages/requests/requests.test.ts',
      'a refused call says what its code means, and what to do next',
    ],
  ],
}
