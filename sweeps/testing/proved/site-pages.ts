// The pages of the site beside the guides, each sentence with its test.
import type { Proofs } from '../proof.ts'

export const sitePages: Proofs = {
  'pages/about.md': [
    [
      'A decline is an answer like any other in our API and costs nothing.',
      'sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing that raises a charge',
    ],
    [
      'A clinic is an organization in the API.',
      'clinical/organization/retrieve.test.ts',
      'in test mode it is the sandbox organization, with members in the order of the schema',
    ],
    [
      'A grant names the scopes that the clinic gives your software, and can be taken back.',
      'auth/grants/clinic-grants.test.ts',
      'a part of a request is approved, which is audited with the clinic and emailed to',
    ],
    [
      'The clinic works in a console of its own: its administrators decide which software',
      'console/table.test.ts',
      '%s: as the table says',
    ],
    [
      'Each call leaves one audit row, with no name and no answer of a patient in it.',
      'clinical/sweeps/every-operation.test.ts',
      '${id} returns what its row declares, and writes one audit row and only its own',
    ],
    [
      'We treat no patients, we own no pharmacy, and we are not paid by a decision.',
      'sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing',
    ],
    [
      'what its key allows and what the clinic granted, both at the moment of the call',
      'auth/principal.test.ts',
      'are the intersection of key and grant',
    ],
    [
      "In which of them a clinic may treat is a matter of its clinicians' licenses",
      'clinical/console/access.test.ts',
      'a clinician without one in the state',
    ],
  ],
  'pages/check-a-signature.md': [
    [
      '`Service-Signature` is `t=<unix seconds>,v1=<hex>`.',
      'clinical/webhooks/delivery/sign.test.ts',
      'has a fixed value for a fixed secret, time and body',
    ],
    [
      'The key is the whole secret, `whsec_` included.',
      'clinical/webhooks/delivery/sign.test.ts',
      'has a fixed value for a fixed secret, time and body',
    ],
    [
      '| every delivery fails | a framework parsed the body, and you signed its copy | read',
      'clients/typescript/webhooks.test.ts',
      'names the mistake',
    ],
    [
      '| every delivery fails, the bodies are equal | `whsec_` was cut off, or the secret',
      'clients/typescript/webhooks.test.ts',
      'names the mistake',
    ],
    [
      'Vectors for a test of your own, one for each reason of a refusal, are at',
      'clients/typescript/webhooks.test.ts',
      'there are some of each outcome',
    ],
    [
      'The digest is HMAC-SHA256 of the time, a dot and the raw body',
      'clinical/webhooks/delivery/sign.test.ts',
      'has a fixed value for a fixed secret, time and body',
    ],
    [
      'While a secret is being replaced there are two `v1`, and one that matches is enough',
      'clients/typescript/webhooks.test.ts',
      'signs as the API does, with both secrets',
    ],
    [
      'each endpoint has its own, and it is shown once',
      'clinical/webhooks/endpoints.test.ts',
      'no other answer contains the secret, and it is stored encrypted',
    ],
    [
      'the secret was rotated, and its day of grace is over',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'deliveries are signed with the new and the old secret',
    ],
  ],
  'pages/customers.md': [
    [
      'All of them run [in the sandbox](/docs/sandbox) today.',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    [
      'The case is filed with `hold`, the photos go from the phone straight to storage, and',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    [
      'A key with `cases:read` and `events:read`, and nothing else.',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
  ],
  'pages/developers.md': [
    [
      'A test of ours runs every line of the [quickstart](/docs/quickstart).',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'It is computed from the same table that routes and checks requests, so it describes',
      'contract/contract.test.ts',
      '%s: keeps the conventions of its method, scope and mode',
    ],
    [
      'A call carries an API key, or an access token of [the authorization',
      'sweeps/v1-tokens.test.ts',
      'no live token of kind %s exists',
    ],
    [
      '[The command line](/docs/cli) is built from it as well: every operation, webhooks on',
      'clients/cli/commands.suite.ts',
      'each operation of the API and of the preview has one, with its example',
    ],
    [
      'The tool servers of this site, `/mcp` and `/docs/mcp`, read it and book a call.',
      'gateway/mcp/protocol.test.ts',
      'every tool has a title and four hints, and only the booking tools write',
    ],
    [
      'Whatever tells you of an event, [polling the',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      '[The sandbox](/blog/sandbox-before-live): thirty scenarios to test.',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      '[A Postman collection](/postman/collection.json), whose loop runs by itself, with',
      'sweeps/postman.test.ts',
      'the loop runs unattended from an empty sandbox to a delivered order',
    ],
    [
      'It has [a contract of its own](/openapi/preview.yaml)',
      'contract/contract.test.ts',
      'contract: no path of the preview is below /v1',
    ],
    [
      'In [the portal](/docs/portal) you sign up, make keys',
      'auth/pages/joining/sign-up.test.ts',
      'a link, a password and an authenticator app',
    ],
  ],
  'pages/pricing.md': [
    [
      'The sandbox costs nothing.',
      'clinical/billing/ledger.test.ts',
      'in test mode usage is empty, even when visits were completed',
    ],
    [
      'Sandbox charges are examples: an event comes with each, and nothing is owed.',
      'clinical/billing/ledger.test.ts',
      'in test mode usage is empty, even when visits were completed',
    ],
  ],
  'pages/privacy.md': [
    [
      "Patients' data in live mode belongs to the clinic; its notice of privacy practices",
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
  ],
  'pages/quality.md': [
    [
      '[/ask](/ask?query=how+do+webhooks+work) takes a question and answers with ranked',
      'gateway/search/ask-routes.test.ts',
      'answers ranked links in the format of NLWeb',
    ],
    [
      'the same question on the same index is the same answer',
      'gateway/search/ask-routes.test.ts',
      'equal questions get equal bytes, by GET or POST',
    ],
  ],
  'pages/try.md': [
    [
      'The form remembers the ids that your sandbox answers, so there is nothing to copy',
      'e2e/reference.spec.ts',
      'try it: one operation after the other, by keyboard, with nothing to copy',
    ],
    [
      '[List the events of the case](/docs/api/list-case-events#try): everything that',
      'clinical/events/list.test.ts',
      'listCaseEvents holds the events about the case alone, in pages',
    ],
    [
      'It sends one request from your browser to the server of the page, and to no one else',
      'site/src/try/request.test.ts',
      'try it: sends what was filled in and nothing else',
    ],
    ['its test key is filled in', 'e2e/reference.spec.ts', 'try it: one operation after the other'],
    [
      'The key is kept in the tab and forgotten with it',
      'e2e/reference.spec.ts',
      'try it: a refusal says what to do, and a live key',
    ],
    [
      'A live key is refused',
      'site/src/try/request.test.ts',
      'try it: accepts every test key and refuses every other',
    ],
    [
      'Each operation still has its request as curl, TypeScript and Python, to copy',
      'e2e/reference.spec.ts',
      'try it: without scripts there is no form',
    ],
  ],
  'pages/blog.md': [
    [
      'Every rule has its source and the day on which we read it',
      'content/checks/rules.test.ts',
      'each rule has an example that breaks it',
    ],
  ],
  'pages/booking.md': [
    [
      "The mail has links that move the call, cancel it, or say that it wasn't you",
      'booking/email/mail.test.ts',
      'sends an invitation to the buyer',
    ],
  ],
}
