// The article about a consult in writing, each with its test.
import type { Proofs } from '../../proof.ts'

export const asyncConsult: Proofs = {
  'articles/how-an-async-consult-works.md': [
    [
      'Without both, the case is refused with `consent_required`',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      'While it is, you cannot cancel it for a reason of your own',
      'clinical/cases/states.test.ts',
      '%s: %s',
    ],
    [
      'What the clinician writes is a `plan`, and it may differ',
      'clinical/sandbox/decide.test.ts',
      'a plan may differ from the request and is completed from the catalog',
    ],
    [
      'It then stays at `received`, where no clinician sees it, until you release it',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    [
      'Beside it stands what the clinic has of this patient here: earlier cases, photos, visits and prescriptions',
      'console/review.test.ts',
      'a patient: what the clinic has, and 404 for one that it has not',
    ],
    [
      'It is recorded, and there is no order for it',
      'clinical/sandbox/decide.test.ts',
      'a plan without dispensable lines approves the case without prescriptions or orders',
    ],
    [
      'A note on the thread never changes the status',
      'clinical/messages/create.test.ts',
      'a message while a question is open does not answer it',
    ],
    [
      'Our catalog holds none',
      'sweeps/article-claims.test.ts',
      'catalog: every page that says so may: no entry is a controlled substance',
    ],
    [
      '| 3 | answers questions, asks for a medication | files the case | `queued`, or `received` while you hold it |',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    [
      '| 6 | may get a question | shows it, and sends back the answer | `waiting_on_patient`, then `in_review` |',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'Each of the other lines gets one prescription and one order',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an order',
    ],
    [
      'Only an answer to the open question returns the case to the clinician',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      '| 4 | waits | shows that it waits, and since when | `queued` |',
      'clinical/cases/create.test.ts',
      'returns the case with its members in the order of the schema',
    ],
    [
      '| 5 | – | hears that a clinician has opened it | `in_review` |',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events',
    ],
    [
      '| 7 | reads the decision | shows the plan, or the reason | `approved` or `declined` |',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events',
    ],
    [
      'A clinician opens the case, and it becomes `in_review`.',
      'clinical/console/review.test.ts',
      'a case is claimed, asked about, answered, approved, shipped and delivered',
    ],
    [
      'follows the order | the order has its own status',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      'and not in the answers, the clinician does not see it',
      'console/review.test.ts',
      'a patient: what the clinic has, and 404',
    ],
    [
      'A line of the plan may be something that the pharmacy does not fill',
      'clinical/sandbox/decide.test.ts',
      'a plan without dispensable lines approves the case',
    ],
  ],
}
