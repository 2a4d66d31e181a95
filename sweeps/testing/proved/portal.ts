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
      'sweeps/table-claims.test.ts',
      'portal: the guide says what the roles see and may change',
    ],
    [
      'Every member may leave, and end the agents and devices that act for them',
      'sweeps/table-claims.test.ts',
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
    [
      'You get an email with a link',
      'auth/pages/joining/sign-up.test.ts',
      'a link, a password and an authenticator app',
    ],
    [
      '*Last used* tells when nothing uses it any longer',
      'auth/principal.test.ts',
      'has its use recorded at most once a minute',
    ],
  ],
}
