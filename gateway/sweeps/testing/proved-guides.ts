// Sentences without a number that an integrator or a patient relies on, by their file under
// `content/`, each with the test that shows it: its file and how its title begins.

export type Proof = readonly [sentence: string, file: string, title: string]

const idempotency = 'clinical/pipeline/idempotency'
const erasure = 'clinical/patients/delete'

export const provedGuides: Readonly<Record<string, readonly Proof[]>> = {
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
      `${idempotency}-scope.test.ts`,
      'replays to a new credential after the first was revoked',
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
  ],
  'docs/agents-and-tools.md': [
    [
      'An agent that a member signed in for never reaches live data',
      'auth/oauth/tokens/authorization-code.test.ts',
      'with an access token of test mode and a refresh token',
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
  ],
  'docs/patients-and-consents.md': [
    [
      'and `patient.deleted.v1` comes last',
      'clinical/visits/delete-patient.test.ts',
      'deletePatient: withdraws cases, then cancels scheduled visits in order of id, then deletes',
    ],
    [
      '| erased | 404 for you; the clinic keeps them |',
      `${erasure}.test.ts`,
      'the tombstone holds no personal data',
    ],
    [
      '404 for you; the clinic keeps them',
      `${erasure}-in-live.test.ts`,
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
    [
      '| removed | 404 for you; the clinic keeps them |',
      `${erasure}-in-live.test.ts`,
      'deletePatient in live: cases are withdrawn and stay readable, documents stay with the clinic',
    ],
    [
      '| answers stored for idempotency keys | hold the id alone | hold the id alone |',
      `${erasure}.test.ts`,
      'hold no personal data: a replay answers that the patient is deleted',
    ],
    [
      '| cases with their answers and reasons, messages, prescriptions, visits | stay readable |',
      `${erasure}.test.ts`,
      'the cases, messages, prescriptions and orders stay readable',
    ],
    [
      'Naming the old one is refused, and `missing` says which kind',
      'clinical/cases/create-refused.test.ts',
      'a superseded consent counts as missing',
    ],
    [
      'A request to erase goes to the clinic',
      `${erasure}-in-live.test.ts`,
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
  ],
  'docs/events.md': [
    [
      'For a deleted patient it is `{"id":"pat_…","deleted":true}`, because we keep no copy',
      'clinical/events/data.test.ts',
      'no patient value is stored in an event',
    ],
    [
      '| a resource that answers 404 | it was deleted after the event |',
      'clinical/events/data.test.ts',
      'every event of a deleted patient embeds that it is deleted',
    ],
  ],
  'docs/exports.md': [
    [
      'A deleted patient cannot be exported by you',
      'clinical/exports/exports.test.ts',
      'an export whose patient was deleted, also when it was still pending',
    ],
  ],
  'docs/files.md': [
    [
      'A `size_bytes` that you give is signed, and no other size is accepted',
      'clinical/storage/s3.test.ts',
      'is refused by the bucket when anything signed is changed',
    ],
    [
      'A live case with a non-empty `files` is refused',
      'clinical/cases/create-refused.test.ts',
      'live refuses files in createCase, and the hint says what to do instead',
    ],
    [
      '| the bytes | measured, and kept nowhere |',
      'clinical/files/upload.test.ts',
      'uploads: test mode stores no bytes',
    ],
    [
      'kept, and looked at when you confirm |',
      'clinical/files/upload.test.ts',
      '400: the bytes are of another type than declared; a corrected upload is accepted',
    ],
    [
      'The clinic is shown pictures of its pages, never the file',
      'clinical/viewer/viewer.test.ts',
      'each page of a PDF is an image of its own',
    ],
    [
      'its case does not list it, its links end, and its bytes are deleted',
      'clinical/files/files.test.ts',
      '200: the file is deleted and removed from its case',
    ],
  ],
  'docs/idempotency-and-retries.md': [
    [
      'The body is the stored one, byte for byte',
      `${idempotency}.test.ts`,
      'returns the first answer, not the current state',
    ],
    [
      'a replay then says `{"id":"pat_…","deleted":true}`, because the details are gone',
      `${erasure}.test.ts`,
      'hold no personal data: a replay answers that the patient is deleted',
    ],
    [
      'Only what was committed is kept',
      `${idempotency}-scope.test.ts`,
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      'A refused write never uses up its key',
      `${idempotency}.test.ts`,
      '400, 404 and 409, then a valid request with the same key',
    ],
    [
      'your first request still runs',
      `${idempotency}-races.test.ts`,
      'idempotency: a duplicate of a running request is refused at once and writes nothing',
    ],
    [
      'a performed write never runs twice',
      `${idempotency}-races.test.ts`,
      'idempotency: a write whose answer was lost after the commit is answered as the first',
    ],
  ],
}
