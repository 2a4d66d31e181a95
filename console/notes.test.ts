// Tests the pages for notes: drafts, signing, addenda, and saved replies next to the chart.
import { expect, test } from 'bun:test'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { bookedLiveVisit } from '#clinical/testing/clinicians.ts'
import { submitWhole } from './testing/submit-whole.ts'
import { loadedCodes } from '#clinical/diagnoses/testing/loaded.ts'
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
