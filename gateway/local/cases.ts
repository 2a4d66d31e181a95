// A local platform's synthetic patients, each with a case waiting for the clinic. If the clinic has
// no cases yet, they're created over HTTP with the live key, as an integration would.
import type { rivera } from '#contract/examples.ts'
import { medication } from '#contract/examples/resources.ts'

type Synthetic = {
  readonly patient: Omit<typeof rivera, keyof Person> & Person
  readonly answers: readonly (readonly [question: string, answer: string])[]
}

type Person = {
  first_name: string
  last_name: string
  date_of_birth: string
  sex_at_birth: 'female' | 'male'
  email: string
  phone: string
  address: { line1: string; city: string; state: string; postal_code: string }
  external_id: string
}

const place = (line1: string, city: string, state: string, postal_code: string) => ({
  line1,
  city,
  state,
  postal_code,
})

const personOf = (
  name: string,
  sex_at_birth: Person['sex_at_birth'],
  date_of_birth: string,
  number: number,
  address: Person['address'],
): Person => {
  const [first_name = '', last_name = ''] = name.split(' ')
  return {
    first_name,
    last_name,
    date_of_birth,
    sex_at_birth,
    email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
    phone: `+1415555010${number}`,
    address,
    external_id: `synthetic_${number}`,
  }
}

export const synthetic: readonly Synthetic[] = [
  {
    patient: personOf(
      'Nadia Okafor',
      'female',
      '1979-06-02',
      1,
      place('12 Pine Street', 'Austin', 'TX', '78701'),
    ),
    answers: [
      ['Have you taken this medication before?', 'Yes, for four months last year.'],
      ['Do you have any allergies?', 'Penicillin.'],
    ],
  },
  {
    patient: personOf(
      'Tomas Berg',
      'male',
      '1991-11-23',
      2,
      place('480 Lake Avenue', 'Chicago', 'IL', '60601'),
    ),
    answers: [
      ['Have you taken this medication before?', 'No.'],
      ['What is your weight in pounds?', '241'],
    ],
  },
  {
    patient: personOf(
      'Mei Tanaka',
      'female',
      '1985-02-17',
      3,
      place('7 Harbor Way', 'Seattle', 'WA', '98101'),
    ),
    answers: [['Are you pregnant, or planning to be?', 'No.']],
  },
  {
    patient: personOf(
      'Jonas Ferreira',
      'male',
      '1968-09-30',
      4,
      place('95 Orange Grove', 'Miami', 'FL', '33101'),
    ),
    answers: [['Which other medications do you take?', 'Lisinopril, 10 mg, once a day.']],
  },
  {
    patient: personOf(
      'Priya Nair',
      'female',
      '1996-04-08',
      5,
      place('230 Mission Street', 'San Francisco', 'CA', '94105'),
    ),
    answers: [['When did your symptoms begin?', 'About six weeks ago.']],
  },
]

const consentVersion = '2026-09-01'

/** `url`: the API's URL on this machine. After a refused request, the rest isn't created. */
export async function fileSynthetic(url: string, liveKey: string): Promise<void> {
  const filed = await fetch(`${url}/v1/cases?limit=1`, {
    headers: { authorization: `Bearer ${liveKey}` },
  })
  const { data }: { data?: readonly object[] } = await filed.json()
  if (data?.length !== 0) return
  for (const [at, { patient, answers }] of synthetic.entries()) {
    const post = (path: string, step: string, body: object) =>
      idOf(url, liveKey, path, `npm-start-${at}-${step}`, body)
    const patientId = await post('/v1/patients', 'patient', patient)
    if (patientId === null) return
    const consent_ids: (string | null)[] = []
    for (const kind of ['telehealth', 'privacy']) {
      const body = { kind, version: consentVersion }
      consent_ids.push(await post(`/v1/patients/${patientId}/consents`, kind, body))
    }
    await post('/v1/cases', 'case', {
      patient: patientId,
      consent_ids,
      requested_medications: [{ medication_id: medication.medication_id }],
      answers: answers.map(([question, answer], index) => ({
        id: `q${index + 1}`,
        question,
        answer,
        type: 'string',
      })),
    })
  }
}

async function idOf(
  url: string,
  key: string,
  path: string,
  idempotencyKey: string,
  body: object,
): Promise<string | null> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'idempotency-key': idempotencyKey,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  const { id }: { id?: string } = await answer.json()
  return answer.ok && id !== undefined ? id : null
}
