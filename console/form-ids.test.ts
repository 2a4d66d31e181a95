// Tests that a form refuses an ID or a choice that its page didn't offer, and changes nothing.
import { beforeAll, expect, test } from 'bun:test'
import type { StaffRole } from '#contract/console/row.ts'
import { newId } from '#auth/ids.ts'
import type { FormValues } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { queuedCase, rivera } from '#clinical/testing/call.ts'
import { bookedLiveVisit } from '#clinical/testing/clinicians.ts'
import { consoleBodies } from '#clinical/testing/console-calls.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const { state } = rivera.address
const run = (statement: ReturnType<typeof sql>) =>
  queryAsOwner<{ id: string }>(pages.fixtures, statement)

/** The page's case, patient and visit, a staff member, and rows of another patient. */
const ids = { case: '', patient: '', visit: '', nurse: '', hold: '', disclosure: '', note: '' }

beforeAll(async () => {
  const { ada } = pages.fixtures
  const [own, other] = [
    await queuedCase(pages.fixtures, ada.live),
    await queuedCase(pages.fixtures, ada.live),
  ]
  Object.assign(ids, { case: own.id, patient: own.patient })
  const visit = { as: ada.live, patient: own.patient, state }
  ids.visit = (await bookedLiveVisit(pages.fixtures, visit)).id
  const records = await pages.signIn({ roles: ['records'] })
  const clinician = await pages.signIn({ roles: ['clinician'], states: [state] })
  ids.nurse = (await pages.signIn({ roles: ['nurse'] })).person
  const { home } = records
  for (const [{ sendForm }, path, values] of [
    [records, `/patients/${other.patient}/holds`, consoleBodies.placeHold],
    [records, `/patients/${other.patient}/disclosures`, consoleBodies.addDisclosure],
    [clinician, `/cases/${other.id}/note`, { body: 'Seen.', sign: '1' }],
  ] as const) {
    expect((await sendForm(`${home}${path}`, values)).status).toBe(303)
  }
  const ofOther = sql`where patient = ${other.patient}`
  ids.hold = (await run(sql`select id from records.holds ${ofOther}`))[0]?.id ?? ''
  ids.disclosure = (await run(sql`select id from records.disclosures ${ofOther}`))[0]?.id ?? ''
  ids.note = (await run(sql`select id from records.notes ${ofOther}`))[0]?.id ?? ''
})

/** Every row that the forms below could write, except the audit. */
const rowsNow = () =>
  run(sql`
    select json_agg(t)::text as id from (
      select row_to_json(h)::text as t from records.holds h union all
      select row_to_json(d)::text from records.disclosures d union all
      select row_to_json(a)::text from records.addenda a union all
      select row_to_json(w)::text from auth.working_hours w union all
      select row_to_json(e)::text from auth.calendar_exceptions e union all
      select row_to_json(l)::text from auth.licenses l union all
      select row_to_json(g)::text from auth.digests g order by 1) x (t)`)

type Form = {
  readonly roles: readonly StaffRole[]
  readonly path: () => string
  /** Valid fields beside the one below. */
  readonly values: FormValues
  readonly field: string
  readonly words: RegExp
  /** Values that no page offers, besides a missing, a malformed and an unknown one. */
  readonly foreign: () => readonly string[]
}

const hours = { weekday: '1', starts_at: '08:15', ends_at: '12:00', time_zone: 'America/Denver' }
const days = { from: '2040-01-01T08:00', to: '2040-01-01T09:00' }
const notFound = /role="alert">We couldn’t find this\./
const text = { body: 'Called back.' }

const forms: Readonly<Record<string, Form>> = {
  'hold to lift': {
    roles: ['records'],
    path: () => `/patients/${ids.patient}/holds/lift`,
    values: { reason: 'It was settled.' },
    field: 'hold',
    words: /role="alert">(We couldn’t find this\.|Check your entries, then try again\.)/,
    foreign: () => [ids.hold],
  },
  'disclosure to correct': {
    roles: ['records'],
    path: () => `/patients/${ids.patient}/disclosures`,
    values: consoleBodies.addDisclosure,
    field: 'corrects',
    words: /role="alert">Choose one of this patient’s entries, or None\./,
    foreign: () => [ids.disclosure],
  },
  'note to amend, on a case': {
    roles: ['nurse'],
    path: () => `/cases/${ids.case}/addenda`,
    values: text,
    field: 'note',
    words: notFound,
    foreign: () => [ids.note],
  },
  'note to amend, on a visit': {
    roles: ['nurse'],
    path: () => `/visits/${ids.visit}/addenda`,
    values: text,
    field: 'note',
    words: notFound,
    foreign: () => [ids.note],
  },
  'clinician whose weekly hours are added': {
    roles: ['admin'],
    path: () => '/schedule/hours',
    values: hours,
    field: 'person',
    words: /id="person-fault"[^>]*>Choose a clinician\./,
    foreign: () => [ids.nurse],
  },
  'clinician whose time off is added': {
    roles: ['admin'],
    path: () => '/schedule/exceptions',
    values: { ...days, kind: 'off' },
    field: 'whose',
    words: /id="whose-fault"[^>]*>Choose a clinician\./,
    foreign: () => [ids.nurse],
  },
  'kind of exception': {
    roles: ['clinician'],
    path: () => '/schedule/exceptions',
    values: days,
    field: 'kind',
    words: /id="kind-fault"[^>]*>Choose time off or extra time\./,
    foreign: () => [],
  },
  'license to remove': {
    roles: ['admin'],
    path: () => `/staff/${ids.nurse}/licenses/remove`,
    values: {},
    field: 'state',
    words: /role="alert">Someone/,
    foreign: () => ['CA'],
  },
  'days of the email summary': {
    roles: ['nurse'],
    path: () => '/preferences',
    values: { time_zone: '' },
    field: 'digest',
    words: /id="digest-fault"[^>]*>Choose when to get the summary\./,
    foreign: () => [],
  },
  'own time zone': {
    roles: ['nurse'],
    path: () => '/preferences',
    values: { digest: 'day' },
    field: 'time_zone',
    words: /id="time_zone-fault"[^>]*>Choose a time zone from the list/,
    foreign: () => ['Mars/Olympus'],
  },
}

test.each(Object.entries(forms))(
  'the %s: one that its page doesn’t offer is refused',
  async (_name, { roles, path, values, field, words, foreign }) => {
    const { home, person, sendForm } = await pages.signIn({ roles })
    const own = field === 'kind' ? { whose: person } : {}
    const before = await rowsNow()
    // A disclosure that corrects nothing has an empty field.
    const empty = field === 'corrects' ? [] : [undefined]
    for (const given of [...empty, 'x', newId('hold'), ...foreign()]) {
      const sent = { ...values, ...own, ...(given !== undefined && { [field]: given }) }
      const answer = await sendForm(`${home}${path()}`, sent)
      const isRefused = [400, 404, 409, 422].includes(answer.status)
      expect([given, answer.status, isRefused]).toEqual([given, answer.status, true])
      expect(await answer.text()).toMatch(words)
    }
    expect(await rowsNow()).toEqual(before)
    expect(pages.failures).toEqual([])
  },
)
