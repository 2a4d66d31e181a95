// Articles and comparisons about going live, agreements and leaving, each with its test.
import type { Proofs } from '../../proof.ts'

export const operating: Proofs = {
  'articles/going-live-week-by-week.md': [
    [
      'You ask with the scopes that you need; the clinic grants all, fewer or none',
      'auth/grants/clinic-grants.test.ts',
      'a part of a request is approved, which is audited with the clinic and emailed to owners',
    ],
    [
      'An owner makes it, after a fresh second factor',
      'sweeps/portal.test.ts',
      'of live mode needs a fresh second factor',
    ],
    [
      'An owner can read it long before accepting it',
      'portal/pages/organization/go-live.test.ts',
      'each condition leads an owner to where it is met, and others to what they may read',
    ],
    [
      'a case with another medication is refused with `unknown_reference`',
      'clinical/medications/formulary.test.ts',
      'live: a case that names another medication is refused with what to call, and not filed',
    ],
    [
      '`npm start` also runs live mode with an invented clinic, on that machine only',
      'gateway/local/clinic.test.ts',
      'its integration has what live mode needs, and a clinic that granted every scope',
    ],
    [
      'The page *Go live* ticks them by itself',
      'portal/pages/organization/go-live.test.ts',
      'the four conditions tick themselves, each when it is there',
    ],
    [
      'the operations under `/v1/test` answer 403',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      'take a waiting case from the queue',
      'console/review.test.ts',
      'a case is claimed, asked about, signed with another plan, and its order moved to the end',
    ],
    [
      '**The first live call was made**: `GET /v1/organization`',
      'portal/pages/organization/go-live.test.ts',
      'the four conditions tick themselves, each when it is there',
    ],
    [
      '{live} So weeks 7 and 8 begin when a clinic grants you access.',
      'clinical/sweeps/live-conditions.test.ts',
      'without $missing',
    ],
    [
      'Everything before them can be done now, in test mode and on your own machine.',
      'gateway/local/clinic.test.ts',
      'its integration has what live mode needs, and a clinic that granted every scope',
    ],
    [
      "`.data/dev.json` holds a `live_key`, and the sign-in of the clinic's invented staff",
      'sweeps/buyer-claims.test.ts',
      'live mode: a plan names what `npm start` writes for it',
    ],
    [
      'a third person in a video visit, refills by a call, and identity checks',
      'sweeps/buyer-claims.test.ts',
      'missing parts: pages say what is not checked or served',
    ],
  ],
  'articles/vendor-security-packet.md': [
    [
      'shows your calls with the names and types of fields, never a value',
      'clinical/requests/retrieve.test.ts',
      'of a patient is nowhere a value, in the audit or in the log',
    ],
    [
      'one row for each call, signed, never deleted',
      'database/isolation.test.ts',
      'audit: not even the owner changes or removes a row',
    ],
    [
      'Webhook secrets are encrypted besides',
      'clinical/webhooks/endpoints.test.ts',
      'no other answer contains the secret, and it is stored encrypted',
    ],
    [
      'refuses live calls with 503',
      'clinical/pipeline/live-closed.test.ts',
      '503: a live call where live mode is not open writes nothing but its audit row',
    ],
    [
      'row-level security in the database, tested with the checks taken away',
      'database/isolation.test.ts',
      "does not see another tenant's rows, even without a filter",
    ],
    [
      'It answers 404, the same as for an id that never was',
      'clinical/sweeps/two-tenants.test.ts',
      'an id of another tenant is not found, with the same response as an unknown id',
    ],
    [
      'with the missing scope named',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'two schemas and two roles, tested per operation',
      'clinical/sweeps/every-operation.test.ts',
      '${id} succeeds in live mode, and writes nothing in test mode',
    ],
    [
      'second factor for each account',
      'auth/pages/sign-in/sign-in.test.ts',
      'password and code lead to the page that was asked for, and nowhere without both',
    ],
    [
      'to a point in time',
      'gateway/commands/backup.test.ts',
      'backup: restores a backup and its archived WAL to the moment before a DELETE',
    ],
    [
      '**A test key in live.** It does not exist there',
      'sweeps/v1-credentials.test.ts',
      '401: a test key that is relabeled as a live key',
    ],
    [
      'Each request has a `Request-Id` that both sides can find',
      'sweeps/preview.test.ts',
      'preview: a call is found by the Request-Id of its response, whichever API it called',
    ],
    [
      'An event carries ids, unless you ask for more',
      'clinical/events/data.test.ts',
      'no patient value is stored in an event',
    ],
    [
      'We say so on [Security](/security), and so should your risk register.',
      'sweeps/buyer-claims.test.ts',
      'security: the packet and the page on security deny the same reports',
    ],
    [
      '| 2 | the business associate agreement | in the portal, on *Go live*, before anything',
      'portal/pages/organization/go-live.test.ts',
      'each condition leads an owner to where it is met, and others to what they may read',
    ],
    [
      '| 5 | encryption in transit and at rest | TLS, in live mode to the database too; the',
      'gateway/live/gate.test.ts',
      'without %s it is closed, and the log names it',
    ],
    [
      '**A key with too few scopes.**',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'Webhooks are verified by signature.',
      'clinical/webhooks/delivery/sign.test.ts',
      'has a fixed value for a fixed secret, time and body',
    ],
  ],
  'articles/leaving-records-and-offboarding.md': [
    [
      'Deleting a patient in live mode hides that patient from you, and the clinic keeps the record',
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
    [
      'A record that is past both is destroyed, unless a legal hold is on it',
      'clinical/records/retention.test.ts',
      'retention: a legal hold, an open case and a policy that does not count yet keep a record',
    ],
    [
      '| audit rows of calls to this API | ours | stay, and are never changed |',
      'database/isolation.test.ts',
      'audit: not even the owner changes or removes a row',
    ],
    [
      '| every key, client, token, agent and device |',
      'portal/pages/organization/settings.test.ts',
      'ends keys, webhooks, agreement and grants, and every member loses the pages',
    ],
    [
      'which ends what your software can reach there and nothing else',
      'clinical/console/administration.test.ts',
      'an integration whose grant is revoked is refused by the next call, and the clinic keeps its patients',
    ],
    [
      'years after the last activity, and an age that the patient has reached at the least',
      'clinical/records/retention.test.ts',
      'retention: the record of who was a minor is kept until the age of the policy',
    ],
    [
      'A clinic that has set no policy destroys nothing',
      'console/pages/records/records.test.ts',
      'retention: no policy destroys nothing; one that is set counts in thirty days and lists what falls due',
    ],
    [
      '| webhooks, with what waits to be sent |',
      'portal/pages/organization/settings.test.ts',
      'ends keys, webhooks, agreement and grants, and every member loses the pages',
    ],
    [
      'List your patients with `GET /v1/patients`, page by page',
      'clinical/patients/list.test.ts',
      'paging with any limit returns each patient once',
    ],
    [
      'makes a JSON file: the patient, cases, consents, files, prescriptions and orders',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'A link needs no key, so treat it like the picture',
      'sweeps/exports.test.ts',
      'export: a download has stable bytes, a known length and working document links',
    ],
    [
      'The thread, visits and charges.',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'An owner closes it in the portal, and it cannot be undone there.',
      'portal/pages/organization/settings.test.ts',
      'ends keys, webhooks, agreement and grants, and every member loses the pages',
    ],
    [
      "| the agreement, the clinics' grants, open invitations | the audit, and the",
      'portal/pages/organization/settings.test.ts',
      'ends keys, webhooks, agreement and grants, and every member loses the pages',
    ],
  ],
  'articles/what-a-baa-covers.md': [
    [
      'without it a live call answers 403 `baa_required`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key without an agreement in force, after checking the grant',
    ],
    [
      'members read it in the portal, on the page *Go live*, before anything is signed',
      'portal/pages/organization/go-live.test.ts',
      'each condition leads an owner to where it is met, and others to what they may read',
    ],
    [
      'A new version has to be accepted within 30 days, or the same happens',
      'clinical/sweeps/every-credential.test.ts',
      'a new version of the agreement must be accepted within 30 days; then live is refused',
    ],
    [
      'If the agreement ends, live calls answer `baa_required` from then on',
      'clinical/sweeps/live-conditions.test.ts',
      'without $missing',
    ],
    [
      'We accept no live integration without our agreement, whether or not HIPAA would ask',
      'clinical/sweeps/live-conditions.test.ts',
      'without $missing',
    ],
  ],
  'articles/does-hipaa-apply-to-cash-pay.md': [
    [
      'Without it every live operation answers 403 `baa_required`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key without an agreement in force, after checking the grant',
    ],
    [
      'This API asks each integration to accept a business associate agreement before its',
      'clinical/sweeps/live-conditions.test.ts',
      'without $missing',
    ],
  ],
  'articles/pixels-mhmda-ftc.md': [
    [
      'An event of this API carries ids and states, unless you ask for the resource',
      'clinical/events/data.test.ts',
      'no patient value is stored in an event',
    ],
    [
      'Our own pages load nothing from elsewhere, and [a test says so](/security).',
      'site/built.test.ts',
      'has one h1, its dates, a canonical address, and scripts of this site alone',
    ],
    [
      "If a clinic's patients are concerned, its agreement with you has a deadline as well:",
      'sweeps/buyer-claims.test.ts',
      'agreement: pages that state its hours and days state those of its text',
    ],
  ],
}
