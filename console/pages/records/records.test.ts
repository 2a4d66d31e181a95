// Tests disclosures, holds and who saw a patient, in a browser without scripts.

import { beforeAll, expect, test } from 'bun:test'
import { openOrganization } from '#auth/integrations.ts'
import { type FormValues, hiddenFields } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { queuedCase } from '#clinical/testing/call.ts'
import { consoleBodies } from '#clinical/testing/console-calls.ts'
import { writeBulkFiles } from '#clinical/testing/exports.ts'
import { sql } from '#database/sql.ts'
import { localDay } from '#http/html/zone.tsx'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()

type Signed = Awaited<ReturnType<typeof pages.signIn>>
let records: Signed
let patient: string
beforeAll(async () => {
  records = await pages.signIn({ roles: ['records'] })
  patient = (await queuedCase(pages.fixtures, pages.fixtures.ada.live)).patient
})

async function send({ browser, home }: Signed, page: string, form: string, values: FormValues) {
  const shown = await browser.get(`${home}${page}`)
  expect([page, shown.status]).toEqual([page, 200])
  const body = new URLSearchParams({ ...hiddenFields(shown.text, `${home}${form}`), ...values })
  const answer = await browser.send(`${home}${form}`, { method: 'POST', body })
  const next = answer.headers.get('location')
  return {
    status: answer.status,
    text: next === null ? await answer.text() : (await browser.get(next)).text,
  }
}

test('record: a disclosure is logged, listed and saved as CSV; an invalid day is refused and stays typed', async () => {
  const page = `/patients/${patient}/record`
  const form = `/patients/${patient}/disclosures`
  const { text } = await send(records, page, form, { ...consoleBodies.addDisclosure })
  expect(text).toContain('Disclosure recorded.')
  expect(text).toContain('A subpoena.')
  const wrong = {
    ...consoleBodies.addDisclosure,
    disclosed_on: '2999-01-01',
    recipient: 'A <b> firm',
  }
  const refused = await send(records, page, form, wrong)
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('Enter a date that isn’t after today.')
  expect(refused.text).toContain('A &lt;b> firm')
  const csv = await records.browser.get(`${records.home}${form}.csv`)
  expect(csv.text.split('\r\n')).toHaveLength(3)
  expect(csv.text).toContain('A court')
})

// At any time, the day in at least one of these zones isn't the day in UTC.
test.each(['Pacific/Pago_Pago', 'Pacific/Kiritimati'])(
  'record: an export is disclosed on its day in the clinic’s zone, %s',
  async zone => {
    const set = (name: string | null) =>
      queryAsOwner(
        pages.fixtures,
        sql`insert into auth.clinic_settings as c (organization, time_zone)
            values (${records.organization}, coalesce(${name}::text, 'America/New_York'))
                on conflict (organization) do update set time_zone = excluded.time_zone`,
      )
    await set(zone)
    const form = `/patients/${patient}/export`
    const values = { recipient: `A court in ${zone}`, purpose: 'A subpoena.' }
    expect((await send(records, `/patients/${patient}`, form, values)).status).toBe(200)
    await set(null)
    const csv = await records.browser.get(`${records.home}/patients/${patient}/disclosures.csv`)
    const row = csv.text.split('\r\n').find(line => line.includes(values.recipient))
    expect(row?.split(',')[1]).toBe(localDay(Date.now(), zone).toString())
  },
)

test('record: a second export from the same page is for another recipient, and both are disclosed', async () => {
  const { patient: exported } = await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  const page = `${records.home}/patients/${exported}`
  const path = `${page}/export`
  const { text } = await records.browser.get(page)
  const fields = hiddenFields(text, path)
  const purpose = 'A subpoena.'
  const recipients = ['The first court', 'The second court', 'The first court']
  for (const recipient of recipients) {
    const body = new URLSearchParams({ ...fields, recipient, purpose })
    const { status, headers } = await records.browser.send(path, { method: 'POST', body })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip'])
  }
  const csv = await records.browser.get(`${page}/disclosures.csv`)
  const named = recipients.slice(0, 2).map(one => csv.text.split(one).length - 1)
  expect(named).toEqual([1, 1])
})

test('record: a correction names the entry that it corrects, which the form offers', async () => {
  const { patient: corrected } = await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  const page = `/patients/${corrected}/record`
  const form = `/patients/${corrected}/disclosures`
  const first = { ...consoleBodies.addDisclosure, recipient: 'The wrong court' }
  const { text } = await send(records, page, form, first)
  const [, id = ''] = /<option value="([^"]+)"[^>]*>[^<]*The wrong court/.exec(text) ?? []
  const second = { ...first, recipient: 'The right court', corrects: id }
  const shown = (await send(records, page, form, second)).text
  const row = shown.split('<tr').find(part => part.includes('The right court')) ?? ''
  expect(row).toMatch(/Corrects [^<]*The wrong court/)
  const refused = await send(records, page, form, { ...second, recipient: ' ' })
  expect(refused.text).toMatch(new RegExp(`<option value="${id}" selected`))
})

test('record: a hold is placed, shown on the patient’s page, and lifted', async () => {
  const page = `/patients/${patient}/record`
  const note = 'This record is on legal hold'
  const ofPatient = async () =>
    (await records.browser.get(`${records.home}/patients/${patient}`)).text
  expect(await ofPatient()).not.toContain(note)
  const placed = await send(records, page, `/patients/${patient}/holds`, { reason: 'A lawsuit.' })
  expect(placed.text).toContain('Legal hold placed.')
  const elements = [...placed.text.matchAll(/ id="([^"]*)"/g)].map(([, one]) => one)
  expect(elements.filter((one, at) => elements.indexOf(one) !== at)).toEqual([])
  expect(await ofPatient()).toContain(note)
  const long = { reason: 'It was settled. '.repeat(200) }
  const refused = await send(records, page, `/patients/${patient}/holds/lift`, long)
  expect([refused.status, refused.text.includes(long.reason.trim())]).toEqual([400, true])
  const lift = { reason: 'It was settled.' }
  const lifted = await send(records, page, `/patients/${patient}/holds/lift`, lift)
  expect(lifted.text).toContain('Legal hold lifted.')
  expect(lifted.text).toContain('It was settled.')
  expect(await ofPatient()).not.toContain(note)
})

test('record: an auditor can read it, and has no forms', async () => {
  const auditor = await pages.signIn({ roles: ['auditor'] })
  const { status, text } = await auditor.browser.get(`${auditor.home}/patients/${patient}/record`)
  expect(status).toBe(200)
  expect(text).toContain('A subpoena.')
  expect(text).not.toContain('<form method="post" action="/' + auditor.organization)
})

test('access: the integration and staff are listed, also as CSV', async () => {
  const path = `${records.home}/patients/${patient}/access`
  const { text } = await records.browser.get(path)
  for (const shown of ['Console', 'API', 'Ada&#39;s brand', 'Placed a legal hold']) {
    expect([shown, text.replaceAll("Ada's", 'Ada&#39;s').includes(shown)]).toEqual([shown, true])
  }
  const csv = await records.browser.get(`${path}.csv`)
  expect(csv.text).toContain(',rest,')
  expect(csv.text).toContain(',placeHold,')
})

test('access: the CSV has every row, however many there are', async () => {
  const { patient: often } = await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  const rows = 10_001
  await queryAsOwner(
    pages.fixtures,
    sql`insert into audit.entries (mode, organization, person, surface, action, target, outcome,
                                   status, request, at)
        select 'live', ${records.organization}, ${records.person}, 'console', 'readPatient',
               ${often}, 'ok', 200, 'req_1', now() - n * interval '1 minute'
          from generate_series(1, ${rows}::int) n`,
  )
  const csv = await records.browser.get(`${records.home}/patients/${often}/access.csv`)
  const lines = csv.text.split('\r\n')
  const read = lines.filter(line => line.includes(',readPatient,'))
  expect([read.length, new Set(read).size, lines.at(-1)]).toEqual([rows, rows, ''])
  const heads = lines.filter(line => line.startsWith('at,'))
  expect(heads).toEqual([expect.stringMatching(/^at,America\/New_York,surface,/)])
  expect(pages.failures).toEqual([])
})

test('record pages name the patient only to people who may read charts', async () => {
  const named = /href="[^"]*\/patients\/pat_\w+">[\w ]+, [\d/]+ \(\d+\)<\/a>/
  const auditor = await pages.signIn({ roles: ['auditor'] })
  for (const page of ['record', 'access']) {
    const path = `${records.home}/patients/${patient}/${page}`
    expect((await records.browser.get(path)).text).toMatch(named)
    const { status, text } = await auditor.browser.get(path)
    expect([status, named.test(text), text.includes(`<code>${patient}</code>`)]).toEqual([
      200,
      false,
      true,
    ])
  }
})

test('record: with an old second factor, each form asks for a code and keeps the typed text', async () => {
  const late = await pages.signIn({ roles: ['records'], factorSeconds: 15 * 60 + 1 })
  const page = `/patients/${patient}/record`
  const forms = [
    [page, `/patients/${patient}/holds`, { reason: 'A second lawsuit.' }],
    [page, `/patients/${patient}/disclosures`, { ...consoleBodies.addDisclosure }],
    [`/patients/${patient}`, `/patients/${patient}/export`, { recipient: 'Ada', purpose: 'Care.' }],
  ] as const
  for (const [from, form, values] of forms) {
    const refused = await send(late, from, form, values)
    expect([form, refused.status]).toEqual([form, 403])
    expect(refused.text).toContain('Nothing was saved yet. Enter a code, or use your passkey.')
    for (const value of Object.values(values)) expect(refused.text).toContain(String(value))
  }
  const [[from, form, values]] = forms
  const placed = await send(late, from, form, { ...values, code: late.nextCode() })
  expect(placed.text).toContain('Legal hold placed.')
  // The last form's signature is fresh, so the next form doesn't ask.
  expect(placed.text).not.toContain('name="code"')
})

test('who saw a patient: includes lists that showed them, and refused attempts', async () => {
  const mine = await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  const organization = await pages.fixtures.owner.use(connection =>
    openOrganization(connection, 'Another Clinic', 'clinic-next-to-it'),
  )
  const [foreign, nurse] = [
    await pages.signIn({ roles: ['records'], organization }),
    await pages.signIn({ roles: ['nurse'] }),
  ]
  const path = `${records.home}/patients/${mine.patient}/access`
  expect((await nurse.browser.get(`${records.home}/queue`)).status).toBe(200)
  expect((await foreign.browser.get(`${records.home}/cases/${mine.id}`)).status).toBe(404)
  expect((await foreign.browser.get(path)).status).toBe(404)
  expect((await nurse.browser.get(path)).status).toBe(403)
  const { text } = await records.browser.get(path)
  const rows = text.split('<tr').filter(row => row.includes('<td'))
  const shown = rows.map(row => row.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '))
  expect(shown[0]).toContain('Opened a page')
  expect(shown[0]).toContain('Refused: role required')
  for (const row of shown.slice(1, 3)) expect(row).toContain('Refused: not found')
  expect(shown[3]).toContain('Viewed the queue')
  expect(shown.slice(0, 4).map(row => row.includes(mine.patient))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(pages.failures).toEqual([])
})

test('FHIR export: started, completed, downloaded and deleted', async () => {
  const { fixtures } = pages
  const { integration } = fixtures.ada
  const start = `/integrations/${integration}/exports`
  const started = await send(records, '/exports', start, {})
  expect(started.text).toContain('Export started.')
  expect(started.text).toContain('Running: 0 resources so far.')
  expect(started.text).not.toContain(`action="${records.home}${start}"`)
  await writeBulkFiles(fixtures)
  const { text } = await records.browser.get(`${records.home}/exports`)
  expect(text).toMatch(/Completed: \d+ resources/)
  const [, file = ''] = /href="([^"]*\/exports\/files\/[^"]+)"/.exec(text) ?? []
  const ndjson = await records.browser.get(file)
  expect(JSON.parse(ndjson.text.split('\n')[0] ?? '')).toMatchObject({ resourceType: 'Patient' })
  expect(text).toMatch(/<details class="confirm"[^]*\/delete"/)
  const [, form = ''] = /action="[^"]*(\/exports\/bulk_\w+\/delete)"/.exec(text) ?? []
  expect((await send(records, '/exports', form, {})).text).toContain('Export deleted.')
  expect((await records.browser.get(file)).status).toBe(404)
})
