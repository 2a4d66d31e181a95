// Sentences of articles and comparisons that name their test. The form is that of proved-guides.ts.
import type { Proof } from './proved-guides.ts'

const files = 'clinical/console/files.test.ts'

export const provedArticles: Readonly<Record<string, readonly Proof[]>> = {
  'articles/agents-and-patient-data.md': [
    [
      'a live credential never sees it',
      'gateway/mcp/clinical/admission.test.ts',
      'a live key sees 34 tools, none of the sandbox, and is refused those',
    ],
    [
      'an order keeps its address, so a later change moves no parcel',
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had at approval',
    ],
  ],
  'articles/consent-versions.md': [
    [
      'A consent recorded afterwards leaves filed cases alone',
      'clinical/consents/record.test.ts',
      'a consent that is recorded later leaves a filed case as it is',
    ],
  ],
  'articles/idempotency-in-a-clinic.md': [
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
  ],
  'articles/measuring-time-to-decision.md': [
    [
      'Two events of one case never share a moment',
      'clinical/sweeps/commit-order.test.ts',
      'events of one commit have distinct timestamps, and since finds each on a page of one',
    ],
  ],
  'articles/photos-and-files.md': [
    [
      'The clinic keeps that it was there, who removed it, when and why',
      files,
      'asked for and confirmed: link, case and bytes lose it; who, when and why stay',
    ],
  ],
  'articles/poll-without-losing-events.md': [
    [
      'so a case filed while you page comes at the end and is neither skipped nor doubled',
      'clients/typescript/lists.test.ts',
      'lists: every row once and in order, while others are written',
    ],
  ],
  'articles/sandbox-before-live.md': [
    [
      'Sandbox controls ignore the time of day',
      'clinical/visits/states.test.ts',
      'sandbox controls work at any time, before and after the start',
    ],
    [
      'Routes, validation, refusals, events and signatures are the same in both modes',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    [
      'The reset removes your sandbox rows',
      'clinical/sandbox/reset.test.ts',
      'removes the eight resources of the guide at once and resets the autopilot',
    ],
  ],
  'articles/vendor-security-packet.md': [
    [
      'refuses live calls with 503',
      'clinical/pipeline/live-closed.test.ts',
      '503: a live call where live mode is not open writes nothing but its audit row',
    ],
  ],
  'articles/webhooks-you-can-trust.md': [
    [
      'the newest two stay valid and the oldest stops at once',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'deliveries are signed with the new and the old secret for 24 hours, never with a third',
    ],
  ],
  'comparisons/mcp-vs-rest-for-agents.md': [
    [
      'each tool is one operation of the REST API, with its scopes, its refusals and its audit row',
      'gateway/mcp/clinical/every-tool.test.ts',
      'tool server: $name leaves the audit row of its operation',
    ],
  ],
  'comparisons/one-clinic-vs-network.md': [
    [
      'A call that leaves it out is refused with [`organization_required`]',
      'clinical/sweeps/every-credential.test.ts',
      '${id} requires a named organization when several grant access: 400 organization_required',
    ],
  ],
}
