// Tests the activity page and its file, in a browser without scripts.

import { beforeAll, expect, test } from 'bun:test'
import { auditText } from '#contract/console/audit-texts.ts'
import { newId } from '#auth/ids.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()
const run = (statement: ReturnType<typeof sql>) => queryAsOwner(pages.fixtures, statement)
const newPatient = () => newId('person').replace('per_', 'pat_')

type Signed = Awaited<ReturnType<typeof pages.signIn>>
let admin: Signed
beforeAll(async () => {
  admin = await pages.signIn({ roles: ['admin'] })
})

const show = ({ browser, home }: Signed, page: string) => browser.get(`${home}${page}`)

test('activity: an auditor filters activity by patient, and downloads it as a file', async () => {
  const patient = newPatient()
  await run(sql`
    insert into audit.entries (mode, organization, person, surface, action, target, outcome, status,
                               request, at)
    values ('live', ${pages.fixtures.clinic}, ${admin.person}, 'console', 'readPatient', ${patient},
            'ok', 200, 'req_1', '2026-07-01T12:00:00Z')`)
  await run(sql`update auth.staff set name = '=Ada' where person = ${admin.person}`)
  const auditor = await pages.signIn({ roles: ['auditor'] })
  const page = await show(auditor, `/activity?patient=${patient}`)
  expect(page.text).toContain('Staff activity for a patient')
  expect(page.text).toContain(auditText('readPatient'))
  const file = await auditor.browser.send(`${auditor.home}/activity.csv?patient=${patient}`)
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="activity.csv"')
  // The page above showed the patient as well.
  const [head, shown, line, end] = (await file.text()).split('\r\n')
  expect(head).toStartWith('at,')
  expect(shown).toContain(',listActivity,')
  expect(line).toStartWith('2026-07-01T12:00:00.000Z,')
  expect(line).toContain(`${admin.person},'=Ada,readPatient,${patient},${patient},ok`)
  expect(end).toBe('')
  for (const [{ browser, home }, links] of [
    [auditor, ['access', 'record']],
    [admin, ['access']],
  ] as const) {
    const { text } = await browser.get(`${home}/activity?patient=${patient}`)
    const [, results = ''] = text.split('id="results"')
    const shown = [...results.matchAll(/href="[^"]*\/patients\/pat_\w+\/(\w+)"/g)]
    expect(shown.map(([, place]) => place)).toEqual([...links])
  }
})

const linkOf = (text: string) => {
  const [, results = ''] = text.split('id="results"')
  return /href="([^"]*activity\.csv[^"]*)"/.exec(results)?.[1]?.replaceAll('&amp;', '&') ?? ''
}
/** Two rows, in the middle of August and of September, about two patients and people. */
const addRows = async () => {
  const times = ['2026-08-15T12:00:00.000Z', '2026-09-15T12:00:00.000Z']
  const patients: string[] = []
  const people: string[] = []
  for (const at of times) {
    const [patient, { person }] = [newPatient(), await pages.signIn()]
    patients.push(patient)
    people.push(person)
    await run(sql`
      insert into audit.entries (mode, organization, person, surface, action, target, outcome,
                                 status, request, at)
      values ('live', ${pages.fixtures.clinic}, ${person}, 'console', 'readPatient',
              ${patient}, 'ok', 200, 'req_1', ${at})`)
  }
  return { patients, people, times }
}

test('activity: the file has the rows of the list, whatever the filter', async () => {
  const { patients, people, times } = await addRows()
  const [august = '', september = ''] = times
  const auditor = await pages.signIn({ roles: ['auditor'] })
  const filters = [
    ['since=2026-09-01T00:00&until=2026-10-01T00:00', september],
    ['since=2026-08-01T00:00&until=2026-09-01T00:00', august],
    [`person=${people[0]}`, august],
    [`patient=${patients[1]}`, september],
    [`person=${people[1]}&since=2026-08-01T00:00&patient=${patients[1]}`, september],
  ] as const
  for (const [query, at] of filters) {
    const link = linkOf((await show(auditor, `/activity?${query}`)).text)
    const rows = (await (await auditor.browser.send(link)).text()).split('\r\n').slice(1, -1)
    // Looking at a patient's activity is activity about the patient.
    const found = rows.filter(row => !row.includes(',listActivity,'))
    expect([query, found.map(row => row.split(',')[0])]).toEqual([query, [at]])
  }
})

test('activity: an invalid filter shows the page instead of a file of other rows', async () => {
  const auditor = await pages.signIn({ roles: ['auditor'] })
  for (const query of ['since=2026-08-01T00:00:00Z', 'until=tomorrow', 'patient=Ada']) {
    const answer = await auditor.browser.send(`${auditor.home}/activity.csv?${query}`)
    const shown = await auditor.browser.get(answer.headers.get('location') ?? '')
    expect([query, answer.status, shown.status]).toEqual([query, 303, 422])
  }
})

// Where scripts run, a changed filter replaces only the results.
test('activity: the results of an invalid filter say what to enter, and have no other rows', async () => {
  const { people } = await addRows()
  const auditor = await pages.signIn({ roles: ['auditor'] })
  for (const [query, fault] of [
    ['patient=Ada', 'Enter a full patient ID'],
    ['until=tomorrow', 'Enter a date and a time.'],
  ] as const) {
    const path = `${auditor.home}/activity?person=${people[0]}&${query}`
    const part = await auditor.browser.send(path, { headers: { 'hx-request': 'true' } })
    const [, results = ''] = (await part.text()).split('id="results"')
    expect([query, results.includes(fault), results.includes('<table')]).toEqual([
      query,
      true,
      false,
    ])
    expect(results).not.toContain('activity.csv')
    // The whole page says it once, at the field.
    expect((await auditor.browser.get(path)).text.split(fault)).toHaveLength(2)
  }
})

test('activity: the file has every row, however many there are', async () => {
  const auditor = await pages.signIn({ roles: ['auditor'] })
  await run(sql`
    insert into audit.entries (mode, organization, person, surface, action, target, outcome,
                               status, request, at)
    select 'live', ${pages.fixtures.clinic}, ${admin.person}, 'console', 'listQueue', null,
           'ok', 200, 'req_' || n, '2026-05-01T12:00:00Z' from generate_series(1, 10_001) n`)
  const path = `${auditor.home}/activity.csv?since=2026-05-01T00:00&until=2026-05-03T00:00`
  const rows = (await (await auditor.browser.send(path)).text()).split('\r\n').slice(1, -1)
  expect(rows.length).toBe(10_001)
  expect(rows.every(row => row.includes(',listQueue,'))).toBe(true)
})

test('activity: a non-member isn’t shown as an operator, and refusals without a resource are listed', async () => {
  const outsider = await pages.signIn({ organization: pages.fixtures.ada.organization })
  const refused = await outsider.browser.get(`/${pages.fixtures.clinic}/queue`)
  expect(refused.status).toBe(404)
  const { text } = await show(admin, `/activity?person=${outsider.person}`)
  const row = text.split('<tr').find(part => part.includes(auditText('openPage'))) ?? ''
  expect(row).toContain('Not on your staff')
  expect(row).toContain(outsider.person)
  expect(row).toContain('Refused: not found')
  expect(text).not.toContain('Operator')
})

test('activity: an invalid filter is named, and older rows are on the next page', async () => {
  const auditor = await pages.signIn({ roles: ['auditor'] })
  const wrong = await show(auditor, '/activity?patient=Ada')
  expect([wrong.status, wrong.text.includes('Enter a full patient ID')]).toEqual([422, true])
  const before = await show(auditor, '/activity?until=2026-07-02T00:00')
  expect(before.text).toContain('Jul 1, ')
  for (let at = 0; at < 51; at++) await show(auditor, '/activity?since=2026-01-01T00:00')
  const newest = await show(auditor, `/activity?person=${auditor.person}`)
  const older = /href="([^"]+before=[^"]+)"/.exec(newest.text)?.[1] ?? ''
  expect((await auditor.browser.get(older.replaceAll('&amp;', '&'))).status).toBe(200)
})

test('activity: no page had an internal error', () => {
  expect(pages.failures).toEqual([])
})
