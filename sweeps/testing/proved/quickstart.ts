// The quickstart, each with its test.
import type { Proofs } from '../proof.ts'

export const quickstart: Proofs = {
  'docs/quickstart.md': [
    [
      'you would have had a 400 that names every wrong field at once',
      'clinical/patients/create.test.ts',
      'reports every fault at once, in document order',
    ],
    [
      'Leave one consent out and you get [`consent_required`](/docs/errors#consent_required) instead, and nothing is written',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      'The approval wrote a prescription, and the prescription an order',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an order',
    ],
    [
      'Each change of the case is one event, in the order in which it was committed',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'The home page of [the portal](/docs/portal) has the same steps as a list',
      'portal/pages/home/home.test.ts',
      'the lines of each step, copied one after another, lead to a delivered order',
    ],
    [
      'It prints the addresses and a test key, and keeps both in `.data/dev.json`',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'The answer names the sandbox clinic and lists the scopes of your key',
      'clinical/organization/retrieve.test.ts',
      'in test mode it is the sandbox organization, with members in the order of the schema',
    ],
    [
      'You get an id that begins with `pat_`',
      'clinical/patients/create.test.ts',
      'returns the patient with its members in the order of the schema',
    ],
    [
      'Its status is `queued`',
      'clinical/cases/create.test.ts',
      'returns the case with its members in the order of the schema',
    ],
    [
      'The case is now `approved`',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'The order is `delivered`, with a carrier and a tracking number',
      'clinical/sandbox/pharmacy.test.ts',
      'a delivered order keeps tracking and shipped_at',
    ],
    [
      'A clinician may also decline, or ask',
      'clinical/sandbox/decide.test.ts',
      'stores the reason and no plan',
    ],
    [
      'from the last one it knows, and [lose none]',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'Each ticks itself when your sandbox has seen it, and the next one has its line for the terminal, with your ids in it',
      'portal/pages/home/home.test.ts',
      'the lines of each step, copied one after another, lead to a delivered order',
    ],
    [
      '| `idempotency_key_required` | a write without the header |',
      'clinical/pipeline/idempotency.test.ts',
      '%s: no key',
    ],
    [
      'in one command, `svc sandbox loop` of [the command line](/docs/cli)',
      'clients/cli/sandbox.suite.ts',
      'every scenario goes as it says, the last one through the clock and the worker',
    ],
    [
      'To try the sandbox you need a checkout of the repository, Node.js 20 or newer, and',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'The rest comes from npm: the runtime, the database, the sandbox.',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'A write needs an `Idempotency-Key`, and the next call needs the id from the last.',
      'clinical/pipeline/idempotency.test.ts',
      '%s: no key',
    ],
    [
      '| `invalid_request` | a field is wrong, missing or unknown | read `errors`: each',
      'clinical/patients/create.test.ts',
      'reports every fault at once, in document order',
    ],
    [
      '| `invalid_transition` | the case has moved since you last read it | read it again',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
  ],
}
