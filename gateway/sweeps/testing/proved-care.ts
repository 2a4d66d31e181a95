// More sentences that name their test: what is kept, charged, refused and ended. Their form is that
// of proved-guides.ts.
import type { Proof } from './proved-guides.ts'

const replays = 'clinical/replays/replays.test.ts'
const files = 'clinical/console/files.test.ts'
const emergency = 'auth/clinics/emergency.test.ts'

export const provedCare: Readonly<Record<string, readonly Proof[]>> = {
  'docs/agents-and-tools.md': [
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
  'docs/authentication.md': [
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
  ],
  'docs/oauth.md': [
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
  'docs/billing.md': [
    [
      'A charge is on one invoice at most, which the database refuses to break',
      'clinical/billing/ledger.test.ts',
      'the database refuses a charge on two invoices',
    ],
    [
      'a charge keeps the amount of the moment in which the visit was completed',
      'clinical/billing/prices.test.ts',
      'is charged what the integration pays at that moment',
    ],
    [
      'given up 90 days after it was due',
      'clinical/billing/operator.test.ts',
      'gives an invoice up 90 days after it was due; it can still be paid',
    ],
  ],
  'docs/events.md': [
    [
      'holds nothing about a patient, so it may pass through a queue or a log',
      'clinical/events/data.test.ts',
      'no patient value is stored in an event',
    ],
    [
      'So nothing is lost, and nothing comes twice',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
  ],
  'docs/exports.md': [
    [
      'in live mode it keeps the record of a patient whom you deleted, and its console makes a copy of it',
      'clinical/records/export.test.ts',
      'record export: the clinic exports a patient whom the integration deleted',
    ],
    [
      'a file that you already have is a 304 without a body',
      'gateway/sweeps/exports.test.ts',
      'export: If-None-Match with the ETag of the download gets 304',
    ],
  ],
  'docs/files.md': [
    [
      'Without them, storage refuses it',
      'clinical/files/upload.test.ts',
      'is refused when a header of the reservation is missing or different',
    ],
    [
      'then the reservation ends, and the bytes with it',
      'clinical/files/races.test.ts',
      'uploads: a reservation that %s during its upload keeps no bytes',
    ],
    [
      'The clinic keeps the fact that it was there',
      files,
      'asked for and confirmed: link, case and bytes lose it; who, when and why stay',
    ],
    ['A clinic removes a document with a reason', files, 'a reason is needed'],
  ],
  'docs/live.md': [
    [
      'keeps a record whatever the policy says, as an open case',
      'clinical/records/retention.test.ts',
      'retention: a legal hold, an open case and a policy that does not count yet keep a record',
    ],
    [
      'an administrator reads records for 24 hours, with a reason; the other administrators are emailed',
      emergency,
      'emergency access: adds the role records for 24 hours, and emails the other administrators',
    ],
    ['and can end it', emergency, 'emergency access: another administrator ends it, once'],
    [
      'the clinic revoked its grant | 403 `organization_not_granted`',
      'clinical/console/administration.test.ts',
      'an integration whose grant is revoked is refused by the next call, and the clinic keeps its patients',
    ],
  ],
  'docs/patients-and-consents.md': [
    [
      'A version that is recorded later leaves open cases alone',
      'clinical/consents/record.test.ts',
      'a consent that is recorded later leaves a filed case as it is',
    ],
    [
      'No value is repeated in an error, so it is safe to log',
      'clinical/patients/create.test.ts',
      'a refusal repeats no value of the request',
    ],
    [
      'An order keeps the address it was written with',
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had at approval',
    ],
    [
      'There is one event, `consent.recorded.v1` of the new one, and none for the one it supersedes',
      'clinical/consents/record.test.ts',
      'the newest consent of a kind is current; recording it supersedes the previous one without an event',
    ],
    [
      'A delete ends your access to the patient',
      'clinical/patients/delete.test.ts',
      'the patient and its consents are gone from every read',
    ],
    [
      'a clinic without a policy destroys nothing',
      'console/pages/records/records.test.ts',
      'retention: no policy destroys nothing',
    ],
  ],
  'docs/pharmacies.md': [
    [
      'A refusal ends the attempts at once',
      'clinical/pharmacy/transmit.test.ts',
      '%d stops it, with what the pharmacy says on one line',
    ],
    [
      'So it is never sent and also filled by hand',
      'clinical/pharmacy/interleaving.test.ts',
      'any course: one order at the pharmacy at most, and only legal states',
    ],
    [
      'So an order never goes back from `shipped` to `at_pharmacy`',
      'clinical/pharmacy/update.test.ts',
      'an older update, and one that cannot move the order any more, are ignored and audited',
    ],
  ],
  'docs/requests.md': [
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
  ],
  'docs/realtime.md': [
    [
      'the channel only speaks',
      'gateway/websocket/subscribers-closed.test.ts',
      '1008 when a client sends a message, because no client may publish',
    ],
  ],
  'docs/sandbox.md': [
    [
      'goes signed to every enabled endpoint that subscribes to the type',
      'clinical/webhooks/delivery/deliver.test.ts',
      'every event type can be triggered, is signed, and embeds the resource that polling returns',
    ],
    [
      'A second advance extends a running one',
      'clinical/sandbox/set-clock.test.ts',
      'a second advance extends a running one',
    ],
  ],
  'docs/sdks.md': [
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
  ],
  'docs/visits.md': [
    [
      'The link is stored nowhere',
      'gateway/sweeps/waiting-room.test.ts',
      'writes an audit row, and the link is in no log or table',
    ],
  ],
  'docs/webhooks.md': [
    [
      'A replay sends the events of a span of time to one endpoint again, in their order',
      replays,
      'sends every event of its span and of the endpoint’s types, in their order',
    ],
    [
      'sends those whose delivery failed and that the endpoint has not accepted since',
      replays,
      'of what failed leaves out what was delivered, waits, or was accepted since',
    ],
    [
      'A replay sends 100 events a second at most, and waits while 200 deliveries of the endpoint wait',
      replays,
      'sends a hundred events a second, and no more while two hundred wait',
    ],
    [
      'An endpoint has one replay at a time',
      'clinical/replays/replays.test.ts',
      'while another one of its endpoint runs, which it names; also when both begin at once',
    ],
    [
      'Each delivery carries the id of the replay in `Service-Replay`',
      replays,
      'carries its id in Service-Replay, and each event its own id',
    ],
  ],
}
