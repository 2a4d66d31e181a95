// Sentences about calls, credentials and clients that name their test. Their form is that of
// proved-guides.ts.
import type { Proof } from './proved-guides.ts'

const paths = 'gateway/sweeps/v1-paths.test.ts'
const wire = 'gateway/sweeps/wire.test.ts'

export const provedCalls: Readonly<Record<string, readonly Proof[]>> = {
  'docs/authentication.md': [
    [
      'Both work until then, so nothing is refused while you move',
      'auth/rotate-key.test.ts',
      'ok: both work, the successor has the same name, scopes and organization',
    ],
  ],
  'docs/billing.md': [
    [
      'once for each visit',
      'clinical/billing/ledger.test.ts',
      'a resource is charged once, and a charge is reversed once',
    ],
  ],
  'docs/cases.md': [
    [
      'A case that names another entry is refused',
      'clinical/medications/formulary.test.ts',
      'live: a case that names another medication is refused with what to call, and not filed',
    ],
  ],
  'docs/cli.md': [
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
  ],
  'docs/concepts.md': [
    [
      'refuse a live key with `forbidden`, whatever its scopes',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
  ],
  'docs/errors.md': [
    [
      'A connection also ends when a request is sent on it before the answer to the one before it has come',
      wire,
      'a pipelined request is never executed',
    ],
  ],
  'docs/files.md': [
    [
      'So a retry after a lost connection is always safe',
      'clinical/files/upload.test.ts',
      'sets size_bytes and can be repeated until the file is confirmed',
    ],
  ],
  'docs/idempotency-and-retries.md': [
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
  ],
  'docs/limits-and-versions.md': [
    [
      'A slash at the end is redirected with 308 to the path without it',
      paths,
      'redirects each operation with 308, which keeps method and query',
    ],
    [
      'a date that we do not serve is refused',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown API-Version',
    ],
  ],
  'docs/realtime.md': [
    [
      'the key is revoked, or the clinic took its grant back',
      'gateway/websocket/subscribers-closed.test.ts',
      '4002 when the key or the grant is revoked, for its connections only',
    ],
  ],
  'docs/sdks.md': [
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
  ],
  'docs/the-loop.md': [
    [
      'A case in a final state never moves again',
      'contract/derive/state-machines.test.ts',
      'state machines: a case is final where nothing leads on, and its state names its event',
    ],
  ],
}
