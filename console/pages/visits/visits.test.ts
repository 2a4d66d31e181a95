// Tests the visits and schedule pages.
import { expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { invokeOk } from '#clinical/testing/call.ts'
import { bookedLiveVisit } from '#clinical/testing/clinicians.ts'
import { patientIn } from '#clinical/testing/visits.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()

/** A timestamp's day in the clinic's zone. */
const dayOf = (at: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(at))

test('a clinician starts and completes a visit from the day’s list', async () => {
  const as = pages.fixtures.ada.live
  const patient = await patientIn(pages.fixtures, 'CA', as)
  const { id } = await bookedLiveVisit(pages.fixtures, { as, patient, state: 'CA' })
  const [{ starts_at = '' } = {}] = await queryAsOwner<{ starts_at: string }>(
    pages.fixtures,
    sql`update live.visits set starts_at = now() + interval '30 minutes', ends_at = now() + interval '1 hour'
         where id = ${id} returning iso(starts_at) as starts_at`,
  )
  const { browser, home } = await pages.signIn({ roles: ['clinician'], states: ['CA'] })
  const day = dayOf(starts_at)
  const address = `${home}/visits?day=${day}`
  const act = async (name: string, fields = {}) => {
    await browser.get(address)
    return browser.submit(`${home}/visits/${id}/${name}`, fields)
  }
  const listed = (await browser.get(address)).text
  expect(listed).toContain('Ada Rivera')
  expect(listed).toContain('Start lets the patient in. Patients join with a link')
  // A visit can't be a no-show before its start.
  expect(listed).not.toContain('/no-show')
  expect(listed).not.toContain('/no_show')
  const { clinician_name } = await invokeOk(pages.fixtures, 'getVisit', { as, id })
  expect(listed).toContain(
    `Start Ada Rivera’s visit with ${clinician_name}? You’ll take it over.</p>`,
  )
  const away = await pages.signIn({ roles: ['clinician'], states: ['NV'] })
  expect((await away.browser.get(address)).text).not.toContain(`/visits/${id}/start`)
  expect((await act('start')).url).toBe(`${home}/visits?day=${day}&done=started`)
  const stale = await act('complete', { version: '2026-01-01T00:00:00.000Z' })
  expect([stale.status, stale.text.includes('Someone changed this')]).toEqual([409, true])
  expect((await browser.get(address)).text).toContain('<strong>You</strong>')
  expect((await act('complete')).text).toContain('Visit completed.')
  expect((await invokeOk(pages.fixtures, 'getVisit', { as, id })).status).toBe('completed')
  const { text } = await browser.get(address)
  const links = [...text.matchAll(new RegExp(`/visits/${id}/([a-z-]+)`, 'g'))]
  expect(links.map(([, page]) => page)).toEqual(['note'])
  expect(pages.failures).toEqual([])
})

test('a clinician can read only their own visits, also after changing one', async () => {
  const as = pages.fixtures.ada.live
  const states = ['NV', 'UT']
  const { browser, home, person } = await pages.signIn({ roles: ['clinician'], states })
  const book = async (state: 'NV' | 'UT', clinician: string) => {
    const patient = await patientIn(pages.fixtures, state, as)
    const { id } = await bookedLiveVisit(pages.fixtures, { as, patient, state })
    const [{ starts_at = '' } = {}] = await queryAsOwner<{ starts_at: string }>(
      pages.fixtures,
      sql`update live.visits set starts_at = now() + interval '20 minutes', clinician = ${clinician},
                 ends_at = now() + interval '50 minutes' where id = ${id} returning iso(starts_at) as starts_at`,
    )
    return { id, starts_at }
  }
  const other = await pages.signIn({ roles: ['clinician'], states })
  const own = await book('NV', person)
  const theirs = await book('UT', other.person)
  const day = dayOf(own.starts_at)
  const everyone = await browser.get(`${home}/visits?day=${day}`)
  expect([own, theirs].map(({ id }) => everyone.text.includes(id))).toEqual([true, true])
  expect(everyone.text.match(/You’ll take it over/g)).toHaveLength(1)
  const address = /href="([^"]*mine=yes[^"]*)">Show only yours \(1\)/.exec(everyone.text)?.[1] ?? ''
  const mine = await browser.get(address.replaceAll('&amp;', '&'))
  expect([own, theirs].map(({ id }) => mine.text.includes(id))).toEqual([true, false])
  const started = await browser.submit(`${home}/visits/${own.id}/start`)
  expect(started.text).toContain('Visit started.')
  expect([own, theirs].map(({ id }) => started.text.includes(id))).toEqual([true, false])
  expect(pages.failures).toEqual([])
})

test('a clinician sees the patient, the room and the visit’s actions on one page', async () => {
  const as = pages.fixtures.ada.live
  const patient = await patientIn(pages.fixtures, 'CA', as)
  const { id } = await bookedLiveVisit(pages.fixtures, { as, patient, state: 'CA' })
  const { browser, home, person } = await pages.signIn({ roles: ['clinician'], states: ['CA'] })
  await queryAsOwner(
    pages.fixtures,
    sql`update live.visits set starts_at = now(), ends_at = now() + interval '30 minutes',
               clinician = ${person} where id = ${id}`,
  )
  const address = `${home}/visits/${id}/join`
  const page = await browser.get(address)
  const room = /<iframe[^>]* src="([^"]*)"/.exec(page.text)?.[1] ?? ''
  expect(page.text).toContain('Ada Rivera')
  expect(page.headers.get('content-security-policy')).toContain(
    `frame-src ${new URL(room).origin};`,
  )
  const act = (name: string, version?: string) =>
    browser.submit(`${home}/visits/${id}/${name}`, { ...(version && { version }), from: 'room' })
  const stale = await act('start', '2026-01-01T00:00:00.000Z')
  expect([stale.status, stale.text.includes('id="visit-acts"')]).toEqual([409, true])
  expect((await act('start')).text).toContain(`/visits/${id}/complete"`)
  const over = await act('complete')
  expect(over.text).not.toContain('<iframe')
  expect(over.text).toContain(`/visits/${id}/note`)
  expect(over.text).not.toMatch(/\/visits\/vis_\w+\/(?:join|start|complete)/)
  const other = await pages.signIn({ roles: ['clinician'], states: ['CA'] })
  expect((await other.browser.get(address)).status).toBe(404)
  expect(pages.failures).toEqual([])
})

test('a visit without a case links to its note from the list, the patient and the room', async () => {
  const as = pages.fixtures.ada.live
  const patient = await patientIn(pages.fixtures, 'CO', as)
  const { id } = await bookedLiveVisit(pages.fixtures, { as, patient, state: 'CO' })
  const { browser, home, person } = await pages.signIn({ roles: ['clinician'], states: ['CO'] })
  const [{ starts_at = '' } = {}] = await queryAsOwner<{ starts_at: string }>(
    pages.fixtures,
    sql`update live.visits set starts_at = now(), ends_at = now() + interval '30 minutes',
               clinician = ${person} where id = ${id} returning iso(starts_at) as starts_at`,
  )
  const note = `href="${home}/visits/${id}/note"`
  const list = `visits?day=${dayOf(starts_at)}`
  for (const page of [list, `patients/${patient}`, `visits/${id}/join`]) {
    const { status, text } = await browser.get(`${home}/${page}`)
    expect([page, status, text.includes(note)]).toEqual([page, 200, true])
  }
  // Leaving the room would end the call.
  expect(browser.page.text).toContain(`${note} target="_blank"`)
  const records = await pages.signIn({ roles: ['records'] })
  expect((await records.browser.get(`${home}/patients/${patient}`)).text).toContain(note)
  expect((await records.browser.get(`${home}/visits/${id}/note`)).status).toBe(200)
  expect(pages.failures).toEqual([])
})

test('an administrator adds and removes hours; invalid ones are refused at their field', async () => {
  const { person } = await pages.signIn({ roles: ['clinician'], states: ['CA'] })
  const { browser, home } = await pages.signIn({ roles: ['admin'] })
  const page = async () => (await browser.get(`${home}/schedule`)).text
  const add = async (fields: Record<string, string>) => {
    await page()
    const hours = { weekday: '1', starts_at: '08:15', ends_at: '12:00' }
    const given = { person, ...hours, time_zone: 'America/Denver', ...fields }
    return browser.submit(`${home}/schedule/hours`, given)
  }
  for (const [fields, words] of [
    [{ starts_at: '8' }, 'Enter a start time'],
    [{ ends_at: '08:00' }, 'Choose an end time after'],
    [{ time_zone: 'Denver' }, 'Choose a time zone'],
    [{ valid_from: '2030-02-30' }, 'Enter a date'],
    [{ valid_to: '2020-01-01' }, 'on or after the first'],
  ] as const) {
    const refused = await add(fields)
    expect([refused.status, refused.text.includes(words)]).toEqual([422, true])
  }
  expect((await add({})).text).toContain('Weekly hours added.')
  const shown = await page()
  expect(shown).toContain('8:15 AM – 12:00 PM')
  const action = /action="([^"]*\/schedule\/cal_[^"]*\/remove)"/.exec(shown)?.[1] ?? ''
  expect((await browser.submit(action)).text).toContain('Removed.')
  expect(await page()).not.toContain('8:15 AM – 12:00 PM')
  const nurse = await pages.signIn({ roles: ['nurse'] })
  expect((await nurse.browser.get(`${home}/schedule`)).status).toBe(403)
  expect(pages.failures).toEqual([])
})

test('a day’s list has every visit in order, however many there are', async () => {
  const as = pages.fixtures.ada.live
  const patient = await patientIn(pages.fixtures, 'WA', as)
  const { id } = await bookedLiveVisit(pages.fixtures, { as, patient, state: 'WA' })
  const visits = 130
  // The last visits that were booked are the first of the day.
  await queryAsOwner(
    pages.fixtures,
    sql`insert into live.visits
        select (jsonb_populate_record(v, jsonb_build_object(
                 'id', 'vis_' || lpad(n::text, 26, '0'), 'clinician', 'per_' || lpad(n::text, 26, '0'),
                 'starts_at', '2031-03-05T20:00:00Z'::timestamptz - n * interval '5 minutes',
                 'ends_at', '2031-03-05T20:05:00Z'::timestamptz - n * interval '5 minutes'))).*
          from live.visits v, generate_series(1, ${visits}::int) n where v.id = ${id}`,
  )
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const { text } = await browser.get(`${home}/visits?day=2031-03-05`)
  const shown = [...text.matchAll(/\/visits\/vis_0*(\d+)\/note"/g)].map(([, n]) => Number(n))
  expect(shown).toEqual(Array.from({ length: visits }, (_, at) => visits - at))
  expect(pages.failures).toEqual([])
})

test('time off is shown in the week where it starts, and on each of its days', async () => {
  const { person } = await pages.signIn({ roles: ['clinician'], states: ['CA'] })
  const { browser, home } = await pages.signIn({ roles: ['admin'] })
  await browser.get(`${home}/schedule`)
  const off = { whose: person, kind: 'off', from: '2031-03-05T09:00', to: '2031-03-19T12:00' }
  const saved = await browser.submit(`${home}/schedule/exceptions`, off)
  expect(saved.text).toContain('Schedule updated.')
  expect(saved.text).toMatch(/Wed, Mar 5<[^]*from 9:00[^]*Thu, Mar 6<[^]*all day/)
  const daysOff = async (week: string) => {
    const { text } = await browser.get(`${home}/schedule?week=${week}`)
    const [, days = ''] = text.split('<ol class="week">')
    return days
      .split('<h3>')
      .slice(1, 8)
      .filter(day => day.includes('<li class="off">'))
      .map(day => day.split('<')[0])
  }
  expect(await daysOff('2031-03-03')).toEqual([
    'Wed, Mar 5',
    'Thu, Mar 6',
    'Fri, Mar 7',
    'Sat, Mar 8',
    'Sun, Mar 9',
  ])
  expect(await daysOff('2031-03-10')).toHaveLength(7)
  expect(await daysOff('2031-03-17')).toEqual(['Mon, Mar 17', 'Tue, Mar 18', 'Wed, Mar 19'])
  expect(await daysOff('2031-03-24')).toEqual([])
})

test('a completed visit with an unsigned note says so in the room and in the list', async () => {
  const as = pages.fixtures.ada.live
  const patient = await patientIn(pages.fixtures, 'CA', as)
  const { id } = await bookedLiveVisit(pages.fixtures, { as, patient, state: 'CA' })
  const { browser, home, person } = await pages.signIn({ roles: ['clinician'], states: ['CA'] })
  const [{ starts_at = '' } = {}] = await queryAsOwner<{ starts_at: string }>(
    pages.fixtures,
    sql`update live.visits set starts_at = now(), ends_at = now() + interval '30 minutes',
               status = 'started', started_at = now(), clinician = ${person} where id = ${id}
        returning iso(starts_at) as starts_at`,
  )
  const room = `${home}/visits/${id}/join`
  const note = `${home}/visits/${id}/note`
  const list = `${home}/visits?day=${dayOf(starts_at)}`
  await browser.get(room)
  await browser.submit(note, { body: 'Seen and well.' })
  await browser.get(room)
  await browser.submit(`${home}/visits/${id}/complete`, { from: 'room' })
  expect(browser.page.text).toContain(`isn’t signed. <a href="${note}">`)
  expect((await browser.get(list)).text).toContain('>Unsigned note</a>')
  await browser.get(note)
  await browser.submit(note, { body: 'Seen and well.', sign: '1' })
  expect((await browser.get(room)).text).not.toContain('isn’t signed.')
  expect((await browser.get(list)).text).not.toContain('>Unsigned note</a>')
})
