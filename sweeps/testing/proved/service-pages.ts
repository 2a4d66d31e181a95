// The pages on security and status, each with its test.
import type { Proofs } from '../proof.ts'

export const servicePages: Proofs = {
  'pages/security.md': [
    [
      '| Every call leaves one audit row | A test over the whole contract counts them, and',
      'clinical/sweeps/every-operation.test.ts',
      '${id} returns what its row declares, and writes one audit row and only its own',
    ],
    [
      '| An audit row cannot be changed unnoticed | Rows are signed with a key that is not',
      'clinical/audit/sign.test.ts',
      'reports an edited row',
    ],
    [
      '| An agent does no more than the member who agreed | The tests try it with each role,',
      'auth/still-authorized.test.ts',
      'authorization of a family of tokens is limited by its scopes, its organization and',
    ],
    [
      '| A live call needs a signed agreement | Without it the answer is',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key without an agreement in force, after checking the grant',
    ],
    [
      '| An engineer of ours reads rows of patients only with a second engineer, of one',
      'auth/operators/emergency-command.test.ts',
      'emergency: without a second person there is no role and no row, whatever one person',
    ],
    [
      '**The audit, while the database is away.**',
      'clinical/audit/background-writer.test.ts',
      'audit background writer: rows wait while no connection is free, and are written in',
    ],
    [
      'The secrets of webhooks, of connected pharmacies and of sign-in codes, and what',
      'clinical/webhooks/endpoints.test.ts',
      'no other answer contains the secret, and it is stored encrypted',
    ],
    [
      'Requests are cut off, repeated and raced; rows are counted afterwards',
      'clinical/sweeps/races.test.ts',
      'races: 100 requests with one idempotency key',
    ],
    [
      'Only a keyed hash is. Each is shown once, and can be revoked at once',
      'auth/integrations.test.ts',
      'is returned once: the database stores its hash',
    ],
    [
      'Faults are provoked in each layer; the answers are searched for stacks, queries and values',
      'http/problem-formats.test.ts',
      'does not contain the cause',
    ],
    [
      'and of a body the field names of the contract with their types, never a value',
      'clinical/pipeline/body-shape.test.ts',
      'body shape: holds no value and no unknown name',
    ],
    [
      'It is never deleted',
      'database/isolation.test.ts',
      'audit: not even the owner changes or removes a row',
    ],
    [
      'and it is revoked at once',
      'auth/oauth/report-key.test.ts',
      '202: a valid key is revoked at once',
    ],
  ],
  'pages/status.md': [
    [
      'The service that answers this page checks its own parts once a minute: whether pages',
      'gateway/status/status.test.ts',
      'status: results are counted by day, and gateways add to the same counts',
    ],
    [
      'The uptime of the API, as this page shows it, is the share of its checks that',
      'gateway/status/status.test.ts',
      'status: the page says what was measured, and never rounds up',
    ],
    [
      'Every answer of the clinical API carries a `Request-Id`.',
      'sweeps/v1.test.ts',
      'a read has all common headers',
    ],
    [
      'An outage there is `503` with the code',
      'gateway/server/faults.test.ts',
      'health: fails with the database, while pages, lists and /ask are still served',
    ],
    [
      'On your machine they are those of your sandbox, and begin with its first start.',
      'gateway/status/status.test.ts',
      'status: results are counted by day',
    ],
    [
      'has that of each part and the days on which it was measured, as JSON',
      'gateway/status/status.test.ts',
      'status: results are counted by day',
    ],
    [
      'It needs no key',
      'gateway/server/health.test.ts',
      'health: pass, with the result and time of each check',
    ],
  ],
  'legal/privacy-2026-11-28.md': [
    [
      'Then your name, your address and your second factors are erased at once',
      'auth/pages/own/own.test.ts',
      'ends everything, keeps no address, and suspends what has no member left',
    ],
    [
      'and one for each act with an account, such as a sign-in',
      'auth/audit.test.ts',
      'audit: a statement of the authorization server inserts its row with its effect',
    ],
    [
      "one for each opening of a visit's waiting room",
      'sweeps/waiting-room.test.ts',
      'writes an audit row, and the link is in no log or table',
    ],
    [
      'which is deleted after two hours at most',
      'booking/quota.test.ts',
      'after an hour the network is forgotten',
    ],
    [
      'All of it is erased from our database {retention_days} days after the call',
      'booking/races.test.ts',
      'booking: after the retention period the call stays and the personal data is erased',
    ],
    [
      'The link "this wasn\'t me" in the email erases it at once',
      'booking/email/mail.test.ts',
      'a report of abuse cancels the invitation and erases the personal data',
    ],
    [
      'It holds no name, no answer and no value of a request',
      'clinical/audit/entries.test.ts',
      'audit: no column of any row holds a patient value or a key',
    ],
  ],
}
