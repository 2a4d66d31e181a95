// The guide to the request log, each with its test.
import type { Proofs } from '../proof.ts'

export const requests: Proofs = {
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
      'sweeps/preview.test.ts',
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
    ['Every response has a `Request-Id`', 'sweeps/v1.test.ts', 'a read has all common headers'],
    [
      'Until then its id answers 404',
      'sweeps/preview.test.ts',
      'preview: a call is found by the Request-Id of its response, whichever API it called',
    ],
    [
      'Credentials, scopes and errors are those of `/v1`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses every kind of bad key with the same response',
    ],
    [
      'About a second later it is in the log',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'It shows that `first_name` was a number',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      '| `credential` | the key or token: its id, its name and its last four characters |',
      'clinical/requests/project.test.ts',
      'that wrote has its operation, route, target, status, key and organization',
    ],
    [
      '| `organization` | whom the call was for; null where it was refused before that was known |',
      'clinical/requests/project.test.ts',
      'of another integration, mode or organization is not found',
    ],
    [
      '| `status`, `code` | what was answered; `code` is null where the call succeeded |',
      'clinical/requests/project.test.ts',
      'that was refused has its code',
    ],
    [
      '| `target` | the id in the path, or that of what was created |',
      'clinical/requests/project.test.ts',
      'that wrote has its operation, route, target, status, key and organization',
    ],
    [
      'lists the calls of your integration for this organization, and those that were for none',
      'clinical/requests/project.test.ts',
      'of another integration, mode or organization is not found',
    ],
    [
      'Deliveries need the scope `webhooks:manage`; without it the member is null',
      'clinical/requests/retrieve.test.ts',
      'are the deliveries of its events, with their state, to each endpoint',
    ],
    [
      'Like every list it ascends by id: the oldest call comes first',
      'clinical/testing/pages.suite.ts',
      '${list} ascends by id, and holds each item once at any page size',
    ],
    [
      '- **Paths that do not exist.** They are refused before we know who calls',
      'sweeps/v1-paths.test.ts',
      '405 for another method; 404 for an unknown path, two slashes or an empty id',
    ],
    [
      'The key needs the scope `events:read`.',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      '| `duration_ms` | from the arrival of the request until its effect was stored |',
      'sweeps/preview.test.ts',
      'preview: a call is found by the Request-Id of its response, whichever API it called',
    ],
    [
      'Filter by `operation`, `status`, `code`, `credential`, and by time with `since` and',
      'portal/pages/requests/requests.test.ts',
      'the newest calls are listed page after page, within the filters',
    ],
  ],
}
