// The article about idempotency, each with its test.
import type { Proofs } from '../../proof.ts'

export const idempotencyArticle: Proofs = {
  'articles/idempotency-in-a-clinic.md': [
    [
      'A replay is the stored answer itself, byte for byte, and not the resource as it looks now',
      'clinical/pipeline/idempotency.test.ts',
      'returns the first answer, not the current state',
    ],
    [
      'of a patient who was deleted since, only the id comes back',
      'clinical/patients/delete.test.ts',
      'hold no personal data: a replay answers that the patient is deleted',
    ],
    [
      'a refused write never uses up its key',
      'clinical/pipeline/idempotency.test.ts',
      '400, 404 and 409, then a valid request with the same key',
    ],
    [
      'same key, the first one was refused or failed | it runs as new',
      'clinical/pipeline/idempotency.test.ts',
      '400, 404 and 409, then a valid request with the same key',
    ],
    [
      'It writes no event, sends no webhook and makes no charge',
      'clinical/pipeline/idempotency.test.ts',
      'answers the first body, Location and request id, and writes nothing',
    ],
    [
      'the unique index on the key undoes the second, and it is answered by the replay',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a duplicate that committed during the write is replayed, not deleted',
    ],
    [
      'It does not belong to the API key that sent it',
      'clinical/pipeline/idempotency-scope.test.ts',
      'replays to a new credential after the first was revoked',
    ],
    [
      'A write without it is refused with `idempotency_key_required`',
      'clinical/pipeline/idempotency.test.ts',
      '%s: no key',
    ],
    [
      '| same key, same request, the first one still running | 409 `idempotency_in_progress`, with `Retry-After: 1` |',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a duplicate of a running request is refused at once and writes nothing',
    ],
    [
      '| same key, same request, the first one committed | the first status and the first bytes, with `Idempotent-Replayed: true` |',
      'clinical/sweeps/every-operation.test.ts',
      '${id} replays the same bytes for the same key, audits it as replayed and writes nothing',
    ],
    [
      '| same key, another path or body | 422 `idempotency_key_reused` |',
      'clinical/pipeline/idempotency.test.ts',
      'another operation, another method, another id, another parameter',
    ],
    [
      'the order of members and the white space between them do not matter, and a changed value does',
      'clinical/pipeline/idempotency.test.ts',
      'ignores the order of members',
    ],
    [
      'A crash before the commit leaves nothing, and the retry executes',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      'A crash after the commit leaves everything, and the retry replays',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a write whose answer was lost after the commit is answered as the first',
    ],
    [
      'the statement changes nothing, and the decision is made again on the new facts',
      'clinical/sweeps/races.test.ts',
      'races: of cancel, withdraw and decide at once one wins, and the events are consistent',
    ],
    [
      'A key belongs to your integration, one organization and one mode',
      'clinical/pipeline/idempotency-scope.test.ts',
      "is a separate key in another integration's tenant and in each live one",
    ],
    [
      '`Original-Request-Id` tells you which request did the work',
      'clinical/pipeline/idempotency.test.ts',
      'answers the first body, Location and request id, and writes nothing',
    ],
    [
      'We keep only what was committed',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      'Every POST, PATCH and DELETE carries one',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses a missing or malformed Idempotency-Key before it validates the body',
    ],
    [
      '"Same request" means the same method, path, query and body',
      'clinical/pipeline/idempotency.test.ts',
      'another operation, another method, another id, another parameter',
    ],
    [
      'Refusals are decided before the write is sent to the database, and a write that fails inside the database leaves nothing',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      'so either all of it is there or none of it',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      'The second does not wait for the first',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a duplicate of a running request is refused at once and writes nothing',
    ],
    [
      'If the process that holds the lock dies, the database releases it with the connection',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a database session that dies during a write is retried, and the write happens once',
    ],
    [
      'There was one patient',
      'clinical/sweeps/races.test.ts',
      'races: 100 requests with one idempotency key create one patient and one event',
    ],
    [
      'You can rotate a credential between the attempt and the retry, and the retry still finds its answer',
      'clinical/pipeline/idempotency-scope.test.ts',
      'replays to a new credential after the first was revoked',
    ],
    [
      'You record it and send the same request with the same key',
      'clinical/pipeline/idempotency.test.ts',
      'consent_required, then the request with the new consent',
    ],
    [
      'Expect 422 and no second case',
      'clinical/sweeps/every-operation.test.ts',
      '${id} refuses a key that was used for another request',
    ],
    [
      'Expect a refusal, then a 201',
      'clinical/pipeline/idempotency.test.ts',
      'consent_required, then the request with the new consent',
    ],
    [
      'You file a case, and we answer `consent_required`, because the privacy consent is',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      'We have one store, and a write is one statement.',
      'clinical/pipeline/cached-credential.test.ts',
      'cached credential: a call takes one statement, and two if it selects facts first',
    ],
    [
      'There is no transaction that we open and close around several.',
      'clinical/pipeline/cached-credential.test.ts',
      'cached credential: a call takes one statement, and two if it selects facts first',
    ],
    [
      'On November 23, 2026, we sent 200 requests with one key over 20 connections to the',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      '`bun run bench lost-events` repeats it.',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      'Only `idempotency_in_progress` among the 409s says "wait for yourself".',
      'clients/typescript/retries.test.ts',
      '409 idempotency_in_progress: tried again, when Retry-After says',
    ],
    [
      'a refusal here is proof that nothing was written',
      'clinical/pipeline/idempotency.test.ts',
      '%s: no key',
    ],
    [
      'First a read brings the facts and the record of the key, if there is one',
      'clinical/pipeline/cached-credential.test.ts',
      'cached credential: a call takes one statement, and two if',
    ],
  ],
}
