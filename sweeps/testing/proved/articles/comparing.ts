// Comparisons and articles for buyers, each sentence with its test.
import type { Proofs } from '../../proof.ts'

export const comparing: Proofs = {
  'comparisons/mso-vs-network.md': [
    [
      'The PC is an organization that grants your software some scopes, and may take them',
      'auth/grants/clinic-grants.test.ts',
      'a part of a request is approved, which is audited with the clinic and emailed to',
    ],
    [
      'Nothing we charge depends on what a clinician decides, and we take no share of a',
      'sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing that raises a charge',
    ],
  ],
  'comparisons/build-vs-integrate.md': [
    [
      'None; the catalog carries none',
      'sweeps/article-claims.test.ts',
      'catalog: every page that says so may: no entry is a controlled substance',
    ],
    [
      'Today our API is served {modes}: patients, consents, cases, the thread, files,',
      'sweeps/absence-claims.test.ts',
      'resources: a page lists what the API serves',
    ],
    [
      'Minutes; a sandbox plays the clinician and the pharmacy',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
  ],
  'comparisons/api-vs-hosted-intake.md': [
    [
      'the API keeps kind, version and time, and refuses a case without both',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      'An Idempotency-Key on the write, so there is one case',
      'clinical/sweeps/races.test.ts',
      'races: 100 requests with one idempotency key create one patient and one event',
    ],
    [
      'Not offered; we host no intake page and no patient portal',
      'sweeps/buyer-claims.test.ts',
      'missing parts: pages say what is not checked or served while the contract has',
    ],
  ],
  'comparisons/one-clinic-vs-network.md': [
    [
      'the second clinic does not see the first one’s cases',
      'clinical/sweeps/two-tenants.test.ts',
      'rows under the grant of one clinic are not visible under the grant of another',
    ],
    [
      'A call that leaves it out is refused with [`organization_required`]',
      'clinical/sweeps/every-credential.test.ts',
      '${id} requires a named organization when several grant access: 400 organization_required',
    ],
    [
      'With a second, each call names its clinic in the header `Service-Organization`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} requires a named organization when several grant access: 400 organization_required',
    ],
    [
      'One grant, one organization, and no header to choose it',
      'clinical/organization/retrieve.test.ts',
      'in live it is the clinic that granted access',
    ],
    [
      'it grants your software the scopes it chooses',
      'auth/grants/clinic-grants.test.ts',
      'a part of a request is approved, which is audited with the clinic and emailed to owners',
    ],
    [
      'While there is one grant, each call goes to that clinic',
      'clinical/organization/retrieve.test.ts',
      'in live it is the clinic that granted access',
    ],
    [
      'One organization, or several that you choose between by header; we route no case for',
      'clinical/sweeps/every-credential.test.ts',
      '${id} requires a named organization when several grant access: 400',
    ],
    [
      'it sends no case onwards',
      'sweeps/absence-claims.test.ts',
      'licenses: no operation names the states of a clinic',
    ],
  ],
  'articles/marketing-compounded-medications.md': [
    [
      'The checker of this site refuses a list of sentences and prints the reason',
      'content/checks/rules.test.ts',
      'each rule has an example that breaks it',
    ],
    [
      'We hold ourselves to the same reading.',
      'content/checks/rules.test.ts',
      'each rule has an example that breaks it',
    ],
  ],
  'comparisons/async-vs-video.md': [
    [
      'only a completed visit has one',
      'clinical/console/visits.test.ts',
      'a no-show and a canceled visit are not charged',
    ],
    [
      '| what we charge | nothing for a case | the price of a *completed* visit, in [pricing](/pricing) |',
      'sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing that raises a charge',
    ],
    [
      'Served {modes}, with slots, a waiting room and events; the sandbox has no camera',
      'sweeps/record-claims.test.ts',
      'visits: pages say that live mode has video and that a sandbox has none',
    ],
    [
      'This API serves both.',
      'sweeps/record-claims.test.ts',
      'visits: pages say that live mode has video',
    ],
    [
      'A question stays open, and the case waits',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      'Video of three people, such as an interpreter, is not served',
      'e2e/video.spec.ts',
      'video: two browsers see each other, come back, and part',
    ],
  ],
}
