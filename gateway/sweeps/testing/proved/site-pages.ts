// The pages of the site beside the guides, each sentence with its test.
import type { Proofs } from '../proof.ts'

export const sitePages: Proofs = {
  'pages/about.md': [
    [
      'A decline is an answer like any other in our API and costs nothing.',
      'gateway/sweeps/table-claims.test.ts',
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
      'gateway/sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing',
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
      'gateway/sweeps/v1-tokens.test.ts',
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
      'gateway/sweeps/postman.test.ts',
      'the loop runs unattended from an empty sandbox to a delivered order',
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
  ],
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
      'gateway/sweeps/v1.test.ts',
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
  ],
  'pages/blog.md': [
    [
      'Every rule has its source and the day on which we read it',
      'content/checks/rules.test.ts',
      'each rule has an example that breaks it',
    ],
  ],
}
