// Tests a case's chart, all on one page.
import { expect, test } from 'bun:test'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { submitWhole } from './testing/submit-whole.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const live = () => pages.fixtures.ada.live

test('the chart: banner, flagged answers, earlier plan and prescriptions, on one page', async () => {
  const answers = [
    { id: 'smoke', question: 'Do you smoke?', answer: 'No' },
    { id: 'allergies', question: 'Any allergies?', answer: 'Penicillin <hives>' },
    { id: 'height', question: 'What is your height?', answer: '180 cm' },
    { id: 'weight', question: 'What is your weight?', answer: '97.2 kg' },
  ]
  const { id: first, patient } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states })
  await browser.get(`${home}/cases/${first}`)
  await submitWhole(browser, `${home}/cases/${first}/approve`, {
    line_0_quantity: '3',
    line_0_days_supply: '1',
  })
  const consents = await invokeOk(pages.fixtures, 'listConsents', { as: live(), id: patient })
  const { requested_medications: lines } = await invokeOk(pages.fixtures, 'getCase', {
    as: live(),
    id: first,
  })
  const { id } = await invokeOk(pages.fixtures, 'createCase', {
    as: live(),
    body: {
      patient,
      consent_ids: consents.data.map((one: { id: string }) => one.id),
      requested_medications: [{ medication_id: lines[0].medication_id }],
      answers,
    },
  })
  const { text } = await browser.get(`${home}/cases/${id}`)
  const [banner = ''] = /<section class="banner".*?<\/section>/s.exec(text) ?? []
  for (const shown of ['03/14/1988 (', 'Penicillin &lt;hives>', 'BMI 30.0', 'CA (licensed)']) {
    expect(banner).toContain(shown)
  }
  expect(banner).toContain('Not asked')
  const at = (part: string) => text.indexOf(part, text.indexOf('<h2>Answers'))
  expect(at('Any allergies?')).toBeLessThan(at('What is your height?'))
  expect(at('What is your height?')).toBeLessThan(at('Do you smoke?'))
  expect(text).toContain(`href="${home}/cases/${first}"`)
  expect(text).toMatch(/Last plan<\/h2>.*?<td data-head="Quantity"[^>]*>3<\/td>/s)
  expect(text).toMatch(/href="[^"]*\/orders\/ord_/)
  expect(text).toContain('Semaglutide 0.25 mg/0.5 mL, quantity 3, 1 day’s supply')
  const heads = [...text.matchAll(/<th scope="col">([^<]*)</g)].map(([, head]) => head)
  expect(heads).toEqual(expect.arrayContaining(['Days’ supply', 'Sent to pharmacy']))
  const nurse = await pages.signIn({ roles: ['nurse'] })
  expect((await nurse.browser.get(`${home}/cases/${id}`)).text).toContain('Penicillin &lt;hives>')
  const history = (await browser.get(`${home}/cases/${first}`)).text
  expect(history).toMatch(/Prescription written<\/a> · Ada \d+ · /)
  expect(pages.failures).toEqual([])
})

test('the history names the author of each message and question', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const join = async () => {
    const { browser, home } = await pages.signIn({ states })
    const { text } = await browser.get(`${home}/cases/${id}`)
    const [, name = ''] = /signing as ([^<]+)\./.exec(text) ?? []
    return { browser, path: `${home}/cases/${id}`, name }
  }
  const one = await join()
  await one.browser.submit(`${one.path}/messages`, { body: 'Hello.' })
  await one.browser.submit(`${one.path}/unclaim`)
  const other = await join()
  const question = { target: 'patient', question: 'Since when?' }
  await other.browser.submit(`${other.path}/question`, question)
  await invokeOk(pages.fixtures, 'answerCase', {
    as: live(),
    id,
    body: { answers: [{ answer: 'In May.' }] },
  })
  await one.browser.get(one.path)
  await one.browser.submit(`${one.path}/question`, question)
  const [history = ''] = /<ol class="history">.*?<\/ol>/s.exec(one.browser.page.text) ?? []
  const named = [...history.matchAll(/>(Message sent|Question asked)<\/a> · ([^·<]+) · /g)]
  expect(named.map(([, what, name]) => [what, name])).toEqual([
    ['Message sent', one.name],
    ['Question asked', other.name],
    ['Question asked', one.name],
  ])
  expect(pages.failures).toEqual([])
})
