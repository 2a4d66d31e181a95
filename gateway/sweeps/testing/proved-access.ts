// Guides to credentials, clients and calls: sentences that name the test that shows them.
import type { Proof } from './proof.ts'

export const provedAccess: Readonly<Record<string, readonly Proof[]>> = {
  'docs/authentication.md': [
    [
      'A key in the address or in the body is never read',
      'gateway/sweeps/v1-credentials.test.ts',
      'in the query as %s: 401, with or without the header',
    ],
    [
      'so a mistyped key is refused without a look into the database',
      'clinical/audit/entries.test.ts',
      'a mistyped key is refused without a query',
    ],
    [
      'We keep a hash of it, so a lost key is replaced and never recovered',
      'auth/integrations.test.ts',
      'is returned once: the database stores its hash and its last four characters',
    ],
    [
      'The old key is refused from that second on, by every gateway',
      'auth/rotate-key.test.ts',
      'is refused by the next call at every gateway, exact to the second',
    ],
    [
      'belong to your integration, and not to the credential that used them',
      'clinical/pipeline/idempotency-scope.test.ts',
      'replays to a new credential after the first was revoked',
    ],
    [
      'All of them look alike, so that the answer does not reveal whether a key once existed',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses every kind of bad key with the same response',
    ],
    ['The API sends no CORS headers', 'gateway/sweeps/v1.test.ts', 'there is no CORS'],
    [
      'A key that works is revoked at once, and the owners of its integration are emailed',
      'auth/oauth/report-key.test.ts',
      '202: a valid key is revoked at once, audited, and its owners are emailed',
    ],
    [
      'A write that was cut off before the rotation can be sent again after it',
      'clinical/pipeline/idempotency-scope.test.ts',
      'replays to a new credential after the first was revoked',
    ],
    [
      'Both work until then, so nothing is refused while you move',
      'auth/rotate-key.test.ts',
      'ok: both work, the successor has the same name, scopes and organization',
    ],
  ],
  'docs/oauth.md': [
    [
      'The secret is printed once, and we keep a hash of it',
      'auth/clients-command.test.ts',
      'clients create shows the secret once, and stores its hash',
    ],
    [
      'It registers itself and has no secret',
      'auth/oauth/clients/registration.test.ts',
      'gets an id and no secret, and is stored as it is answered',
    ],
    [
      'Two secrets work at once, so one replaces the other without an outage',
      'auth/clients-command.test.ts',
      'clients add-secret and revoke-secret replace a secret; there are two at most',
    ],
    [
      'Revoking the client ends all its tokens',
      'auth/clients-command.test.ts',
      'clients revoke ends a client',
    ],
    [
      'Used twice, it ends every token that came of it',
      'auth/oauth/tokens/authorization-code.test.ts',
      'used twice: the second fails, and the tokens of the first end',
    ],
    [
      'If the answer is lost, the same refresh token brings the same successor',
      'auth/oauth/tokens/refresh-token.test.ts',
      'brings the same successor again to a client that lost the answer',
    ],
    [
      '`slow_down` means five more seconds between polls',
      'auth/oauth/tokens/device-code.test.ts',
      'slow_down, and five seconds more each time',
    ],
  ],
  'docs/agents-and-tools.md': [
    [
      'An agent that a member signed in for never reaches live data',
      'auth/oauth/tokens/authorization-code.test.ts',
      'with an access token of test mode and a refresh token',
    ],
    [
      "has at most what the member's role has",
      'auth/still-authorized.test.ts',
      'authorization of a family of tokens is limited by its scopes, its organization and the role',
    ],
    [
      'asked through once for a delete, a withdrawal, a cancellation and a reset',
      'gateway/mcp/clinical/confirmation.test.ts',
      'exactly delete, cancel, withdraw and reset ask; what is refused anyway does not',
    ],
  ],
  'docs/concepts.md': [
    [
      'the text, its SHA-256, the time and the address are kept',
      'auth/agreements/agreements.test.ts',
      'stores who, as what, from where, and the SHA-256 of the text that was read',
    ],
    [
      'A request with a field or parameter that we do not know is refused',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown member of the body',
    ],
    [
      'A test key that asks for a live case gets the same 404 as for a case that never was',
      'clinical/sweeps/every-request.test.ts',
      '${id} does not find an id of test mode with a live key, as an unknown one',
    ],
    [
      'refuse a live key with `forbidden`, whatever its scopes',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
  ],
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
  ],
  'docs/tool-server.md': [
    [
      'answers the same body, and leaves the same audit row',
      'gateway/mcp/clinical/every-tool.test.ts',
      'tool server: $name leaves the audit row of its operation',
    ],
  ],
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
  ],
  'docs/portal.md': [
    [
      'When you remove a member, the agents and devices that act for them end at once',
      'auth/accounts/members.test.ts',
      'a member who is removed takes what acts for them along, in the same transaction',
    ],
    [
      'A recovery code does instead of the code of the app, once',
      'auth/pages/recovery/recovery.test.ts',
      'a recovery code does as well, and is used up',
    ],
  ],
  'docs/errors.md': [
    [
      'A connection also ends when a request is sent on it before the answer to the one before it has come',
      'gateway/sweeps/wire.test.ts',
      'a pipelined request is never executed',
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
  ],
}
