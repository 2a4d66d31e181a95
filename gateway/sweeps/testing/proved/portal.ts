// Guides to the portal and to the request log, each with its test.
import type { Proofs } from '../proof.ts'

export const portal: Proofs = {
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
    [
      'Every account has a second factor, which you prove when you sign in',
      'auth/pages/sign-in/sign-in.test.ts',
      'password and code lead to the page that was asked for, and nowhere without both',
    ],
    [
      'You then own an integration with a sandbox of its own',
      'auth/pages/joining/sign-up.test.ts',
      'a link, a password and an authenticator app make a person with an integration',
    ],
    [
      'every page asks the API on their behalf',
      'portal/reads.test.ts',
      '%s: with its scope only, and audited',
    ],
    [
      'The key is shown once, with a call that you can paste',
      'portal/pages/credentials/keys.test.ts',
      'is shown once with a call that works, and has its organization and maker',
    ],
    [
      '*Rotate* makes a successor with the same scopes',
      'portal/pages/credentials/keys.test.ts',
      'shows a successor once; both work, and the old one can be retired early',
    ],
    [
      'No page shows a name, an address or an answer of a patient',
      'portal/pages/deliveries/deliveries.test.ts',
      'a delivery with the resource in it is shown without it',
    ],
    [
      'with the moves that are possible now',
      'portal/pages/sandbox/moves.test.ts',
      'every move is offered or refused',
    ],
    [
      '*Go live* has four conditions that tick themselves',
      'portal/pages/organization/go-live.test.ts',
      'the four conditions tick themselves, each when it is there',
    ],
    [
      'An owner accepts the agreement with name and title',
      'auth/agreements/agreements.test.ts',
      'is refused to a %s',
    ],
    [
      'No one can grant access to an integration that they belong to',
      'auth/grants/grants.test.ts',
      'is refused to members, to who asked, and without a person',
    ],
    [
      'you can also set a new password: choose *Recover your account*',
      'auth/pages/recovery/recovery.test.ts',
      'a code of the app sets a new password at once, and keeps the factors',
    ],
    [
      'a link in that email stops it',
      'auth/pages/recovery/recovery.test.ts',
      'the link of the email stops it, once',
    ],
    [
      'You and the owners of your integrations are emailed at once',
      'auth/pages/recovery/recovery.test.ts',
      'after 24 hours, and not before; the person and the owners beside them are notified',
    ],
    [
      '*Requests*: enter its `Request-Id`',
      'portal/pages/requests/requests.test.ts',
      'an id leads to its request, and what is no id is refused',
    ],
    [
      'failures in a row, and a test event of any type',
      'portal/pages/webhooks/webhooks.test.ts',
      'the list says how near an endpoint is to being disabled, as the database counts',
    ],
    [
      '*Deliveries*: each attempt with its time, its status and the beginning of the answer',
      'portal/pages/deliveries/deliveries.test.ts',
      'a delivery shows each attempt as it was, and where it stands in the retry schedule',
    ],
    [
      '*Usage*: charges by month, and invoices',
      'portal/pages/organization/usage.test.ts',
      'charges are summed by month of UTC and kind, reversals subtracted',
    ],
    [
      '| viewer | everything but webhooks and deliveries | nothing of others |',
      'gateway/sweeps/table-claims.test.ts',
      'portal: the guide says what the roles see and may change',
    ],
    [
      'Every member may leave, and end the agents and devices that act for them',
      'gateway/sweeps/table-claims.test.ts',
      'portal: the guide says what the roles see and may change',
    ],
    [
      'So a page shows what `/v1` would answer, and each change leaves an entry in the audit log with the person',
      'clinical/pipeline/sessions.test.ts',
      'a session acts on an integration of its person, replays, and is named in the audit',
    ],
    [
      'A mistyped key answers 401 `unauthorized`, and one without the scope 403 `insufficient_scope`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      '`npm start` prints the address of the portal and keeps it in `.data/dev.json`.',
      'gateway/server/sandbox.test.ts',
      'sandbox: the owner is read from dev.json, and a damaged file has none',
    ],
    [
      'On your own machine the sandbox has an owner, `owner@example.com`.',
      'gateway/server/sandbox.test.ts',
      'sandbox: the owner is read from dev.json, and a damaged file has none',
    ],
    [
      '| Which events were there? | *Events*: by type, resource and time, each with where it',
      'portal/pages/deliveries/deliveries.test.ts',
      'an event says where it went, and is delivered again to all that subscribe',
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
    [
      'Every response has a `Request-Id`',
      'gateway/sweeps/v1.test.ts',
      'a read has all common headers',
    ],
    [
      'Until then its id answers 404',
      'gateway/sweeps/preview.test.ts',
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
      'gateway/sweeps/v1-paths.test.ts',
      '405 for another method; 404 for an unknown path, two slashes or an empty id',
    ],
    [
      'The key needs the scope `events:read`.',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      '| `duration_ms` | from the arrival of the request until its effect was stored |',
      'gateway/sweeps/preview.test.ts',
      'preview: a call is found by the Request-Id of its response, whichever API it called',
    ],
    [
      'Filter by `operation`, `status`, `code`, `credential`, and by time with `since` and',
      'portal/pages/requests/requests.test.ts',
      'the newest calls are listed page after page, within the filters',
    ],
  ],
}
