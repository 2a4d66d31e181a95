// Tests the pages for notes: drafts, signing, addenda, and saved replies next to the chart.
import { expect, test } from 'bun:test'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { bookedLiveVisit } from '#clinical/testing/clinicians.ts'
import { submitWhole } from './testing/submit-whole.ts'
import { loadedCodes } from '#clinical/diagnoses/testing/loaded.ts'
import { hiddenFields } from '#auth/testing/browser.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const live = () => pages.fixtures.ada.live

test('a note is drafted, signed with the plan, and amended', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const doctor = await pages.signIn({ states })
  const { browser, home } = doctor
  const path = `${home}/cases/${id}`
  await browser.get(path)
  await browser.submit(`${path}/note`, { body: 'Assessment: <fine>.', codes: 'e66.9, Z68.34' })
  expect(browser.page.text).toContain('Draft saved.')
  expect(browser.page.text).toContain('value="E66.9, Z68.34"')
  const colleague = await pages.signIn({ roles: ['nurse'] })
  expect((await colleague.browser.get(path)).text).not.toContain('Assessment: &lt;fine>.')
  const wrong = await browser.submit(`${path}/note`, { body: 'Kept.', codes: 'obesity' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('OBESITY isn’t an ICD-10-CM code')
  expect(wrong.text).toContain('Kept.')

  await browser.get(path)
  await submitWhole(browser, `${path}/approve`)
  expect(browser.page.text).toContain('Plan signed.')
  const read = await colleague.browser.get(path)
  expect(read.text).toContain('Assessment: &lt;fine>.')
  for (const code of ['E66.9', 'Z68.34'])
    expect(read.text).toContain(`<span class="code">${code}</span>`)
  await colleague.browser.submit(`${path}/addenda`, { body: 'Called the patient.' })
  expect(colleague.browser.page.text).toContain('Addendum signed.')
  expect((await browser.get(path)).text).toContain('Called the patient.')
  const records = await pages.signIn({ roles: ['records'] })
  const shown = (await records.browser.get(path)).text
  expect(shown).toContain('Called the patient.')
  expect(shown).not.toContain('Add addendum')
  expect(pages.failures).toEqual([])
})

test('a note changed in another window is shown next to the typed text, which can replace it', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states })
  const path = `${home}/cases/${id}`
  const {
    form: _,
    once: __,
    ...stale
  } = hiddenFields((await browser.get(path)).text, `${path}/note`)
  await browser.submit(`${path}/note`, { body: 'From the other window.', codes: 'E66.9' })
  for (const sign of [{}, { sign: '1' }]) {
    const refused = await browser.submit(`${path}/note`, { ...stale, body: 'Typed here.', ...sign })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('This note was changed in another window')
    expect(refused.text).toContain('<p class="lines">From the other window.</p>')
    expect(refused.text).toContain('>Typed here.</textarea>')
    expect(refused.text).not.toContain('<ol class="notes">')
  }
  // A decision signs only the draft that the page shows.
  await browser.get(path)
  const { note_version } = hiddenFields(browser.page.text, `${path}/decline`)
  await browser.submit(`${path}/note`, { body: 'Both.', codes: '' })
  const reason = 'Please see someone.'
  const declined = await browser.submit(`${path}/decline`, {
    note_version: note_version ?? '',
    reason,
  })
  expect([declined.status, declined.text.includes('>Both.</textarea>')]).toEqual([409, true])

  await browser.submit(`${path}/note`, { body: 'Both.', sign: '1' })
  expect(browser.page.text).toContain('Note signed.')
  const late = await browser.submit(`${path}/note`, { version: note_version ?? '', body: 'Both.' })
  expect(late.status).toBe(409)
  expect(late.text).toContain('This note was signed in another window')
  expect(late.text).toContain('You signed this note in another window.')
  expect(pages.failures).toEqual([])
})

test('signing a note twice from one page signs one note', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states })
  const path = `${home}/cases/${id}`
  const { text } = await browser.get(path)
  const fields = { ...hiddenFields(text, `${path}/note`), body: 'Seen and well.', sign: '1' }
  const sent = await Promise.all([0, 1].map(() => browser.post(`${path}/note`, fields)))
  expect(sent.map(({ status }) => status)).toContain(303)
  await browser.get(path)
  await browser.post(`${path}/note`, fields)
  expect((await browser.get(path)).text.split('Seen and well.')).toHaveLength(2)
})

test('a script’s save returns the draft’s version', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states })
  const path = `${home}/cases/${id}/note`
  const page = await browser.get(`${home}/cases/${id}`)
  const save = (fields: Record<string, string>) =>
    browser.send(path, {
      method: 'POST',
      headers: { 'x-autosave': '1' },
      body: new URLSearchParams({ ...hiddenFields(page.text, path), ...fields }),
    })
  const first = await save({ body: 'One.', codes: '' })
  const { version } = (await first.json()) as { version: string }
  const again = await save({ body: 'One. Two.', codes: '', unconfirmed: 'One.\r\n' })
  expect(again.status).toBe(200)
  expect((await save({ version, body: 'Three.', codes: '' })).status).toBe(409)
  expect((await browser.get(`${home}/cases/${id}`)).text).toContain('>One. Two.</textarea>')
})

test('codes are found by their titles, shown with them, and refused if they are not billable', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states })
  const path = `${home}/cases/${id}`
  const bare = (await browser.get(path)).text
  expect(bare).toContain('No ICD-10-CM list is loaded')
  expect(bare).not.toContain('Find a code')
  const title = 'Type 2 diabetes mellitus without complications'
  const year = await loadedCodes(pages.fixtures, [{ code: 'E11.9', title }])
  const { text } = await browser.get(path)
  expect(text).toContain(`We check them against the ICD-10-CM list for ${year}.`)
  expect(text).toContain('Find a code')
  const found = await browser.send(`${home}/diagnoses.json?q=diab+type`)
  expect(await found.json()).toEqual([{ code: 'E11.9', title }])
  await browser.submit(`${path}/note`, { body: 'Tired.', codes: 'e119' })
  expect(browser.page.text).toContain('Draft saved.')
  expect(browser.page.text).toContain(`<span class="code">E11.9</span> ${title}`)
  const wrong = await browser.submit(`${path}/note`, { body: 'Kept.', codes: 'E11.7' })
  expect([wrong.status, wrong.text.includes('Kept.')]).toEqual([400, true])
  expect(wrong.text).toContain(`E11.7 isn’t a billable code in the ICD-10-CM list for ${year}.`)
  expect(wrong.text).toContain(`Nearest: E11.9 (${title}).`)
  await loadedCodes(pages.fixtures, [])
  expect(pages.failures).toEqual([])
})

test('a late note and an addendum ask for a code if the second factor is old', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home, nextCode } = await pages.signIn({ states, factorSeconds: 15 * 60 + 1 })
  const path = `${home}/cases/${id}`
  await browser.get(path)
  const late = await browser.submit(`${path}/note`, { body: 'A late note.', sign: '1' })
  expect([late.status, late.text.includes('A late note.')]).toEqual([403, true])
  const code = nextCode()
  await browser.submit(`${path}/note`, { body: 'A late note.', sign: '1', code })
  expect(browser.page.text).toContain('Note signed.')
})

test('a visit has a note page', async () => {
  const { patient } = await queuedCase(pages.fixtures, live())
  const { state } = rivera.address
  const { id } = await bookedLiveVisit(pages.fixtures, { as: live(), patient, state })
  const { browser, home } = await pages.signIn({ states })
  const path = `${home}/visits/${id}/note`
  await browser.get(path)
  await browser.submit(path, { body: 'Seen and well.', sign: '1' })
  expect(browser.page.text).toContain('Note signed.')
  expect(browser.page.text).toContain('Seen and well.')
  const visit = await invokeOk(pages.fixtures, 'getVisit', { as: live(), id })
  expect(JSON.stringify(visit)).not.toContain('Seen and well.')
  expect(pages.failures).toEqual([])
})

test('saved replies are offered already filled in, wherever they apply', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states })
  await browser.get(`${home}/templates`)
  await browser.submit(`${home}/templates`, {
    kind: 'decline',
    scope: 'own',
    name: 'In person',
    body: 'Dear {first_name} {last_name}, {clinic} and {clinician} are sorry: no {medication}.',
  })
  const { text } = await browser.get(`${home}/cases/${id}`)
  const [, insert = ''] = /data-insert="(Dear [^"]*)" data-into="reason"/.exec(text) ?? []
  expect(insert).toContain('Dear Ada Rivera, Example Clinic and Ada ')
  expect(insert).toContain('no Semaglutide')
  expect(text).not.toMatch(/data-insert="Dear [^"]*" data-into="question"/)
  const other = await pages.signIn({ states })
  expect((await other.browser.get(`${home}/cases/${id}`)).text).not.toContain('data-insert="Dear')
})
