// Reviewing a case and moving an order with the pages alone, and what two do at once.
import { expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import type { TestBrowser } from '#auth/testing/browser.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const live = () => pages.fixtures.ada.live

/** Changes fields of the form of the current page and sends all of them, as a browser does. */
function submitWhole(browser: TestBrowser, path: string, values: Record<string, string> = {}) {
  const form = browser.page.text.split('<form ').find(text => text.includes(`action="${path}"`))
  const fields: Record<string, string> = {}
  for (const [, text = ''] of (form ?? '').matchAll(/<input ([^>]*)>/g)) {
    const [, name = ''] = / ?name="([^"]*)"/.exec(text) ?? []
    const [, value = ''] = / value="([^"]*)"/.exec(text) ?? []
    if (!/type="checkbox"/.test(text) || / checked/.test(text)) fields[name] = value
  }
  for (const [, name = '', options = ''] of (form ?? '').matchAll(
    /<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    fields[name] =
      /<option(?: selected)? value="([^"]*)" selected|<option selected value="([^"]*)"/
        .exec(options)
        ?.slice(1)
        .find(Boolean) ?? ''
  }
  return browser.submit(path, { ...fields, ...values })
}

test('a case is claimed, asked about, signed with another plan, and its order moved to the end', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home, person } = await pages.signIn({ roles: ['clinician'], states })
  const queue = await browser.get(`${home}/queue`)
  expect(queue.text).toContain(`href="${home}/cases/${id}"`)
  await browser.get(`${home}/cases/${id}`)
  await browser.submit(`${home}/cases/${id}/claim`)
  expect(browser.page.text).toContain('Yours until')
  await browser.submit(`${home}/cases/${id}/question`, {
    target: 'patient',
    question: 'Since when?',
  })
  expect(browser.page.text).toContain('Since when?')
  await invokeOk(pages.fixtures, 'answerCase', {
    as: live(),
    id,
    body: { answers: [{ answer: 'In May.' }] },
  })
  await browser.get(`${home}/cases/${id}`)
  expect(browser.page.text).toContain('In May.')
  await submitWhole(browser, `${home}/cases/${id}/approve`, { line_0_quantity: 'three' })
  expect(browser.page.status).toBe(400)
  expect(browser.page.text).toContain('value="three"')
  await submitWhole(browser, `${home}/cases/${id}/approve`, { line_0_quantity: '2' })
  expect(browser.page.text).toContain('The plan is signed.')
  const signed = await invokeOk(pages.fixtures, 'getCase', { as: live(), id })
  expect([signed.status, signed.plan[0].quantity]).toEqual(['approved', 2])

  const [order] = signed.order_ids
  const pharmacy = await pages.signIn({ roles: ['pharmacy'] })
  const path = `${home}/orders/${order}`
  expect((await pharmacy.browser.get(`${home}/orders`)).text).toContain(`href="${path}"`)
  await pharmacy.browser.get(path)
  for (const [move, values, status] of [
    ['block', { reason: 'Out of stock.' }, 'blocked'],
    ['unblock', {}, 'at_pharmacy'],
    ['ship', { carrier: 'ups', number: '1Z' }, 'shipped'],
    ['deliver', {}, 'delivered'],
  ] as const) {
    await pharmacy.browser.submit(`${path}/${move}`, values)
    expect([move, pharmacy.browser.page.status]).toEqual([move, 200])
    const { status: reached } = await invokeOk(pages.fixtures, 'getOrder', {
      as: live(),
      id: order,
    })
    expect([move, reached]).toEqual([move, status])
  }
  const audit = await queryAsOwner<{ action: string }>(
    pages.fixtures,
    sql`select distinct action from audit.entries
         where surface = 'console' and person = any (${[person, pharmacy.person]}::text[])
         order by action`,
  )
  const actions = audit.map(({ action }) => action)
  for (const action of ['listQueue', 'readChart', 'claimCase', 'askQuestion', 'approveCase']) {
    expect(actions.some(one => one.endsWith(action))).toBe(true)
  }
  for (const action of ['readOrder', 'blockOrder', 'unblockOrder', 'shipOrder', 'deliverOrder']) {
    expect(actions.some(one => one.endsWith(action))).toBe(true)
  }
  expect(pages.failures).toEqual([])
})

test('of two clinicians who sign at once one does, and the other reads that the case changed', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const staff = await Promise.all([0, 1].map(() => pages.signIn({ states })))
  for (const { browser, home } of staff) await browser.get(`${home}/cases/${id}`)
  const answers = await Promise.all(
    staff.map(({ browser, home }) => submitWhole(browser, `${home}/cases/${id}/approve`)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.text).toContain(
    'It changed since you opened',
  )
  const { prescription_ids } = await invokeOk(pages.fixtures, 'getCase', { as: live(), id })
  expect(prescription_ids).toHaveLength(1)
  expect(pages.failures).toEqual([])
})

test('a claim of another is named, and nothing but a message can be sent meanwhile', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const [one, other] = await Promise.all([pages.signIn({ states }), pages.signIn({ states })])
  const path = `${one.home}/cases/${id}`
  await one.browser.get(path)
  await one.browser.submit(`${path}/claim`)
  const { text } = await other.browser.get(path)
  expect(text).toContain('works on this case until')
  expect(text).not.toContain(`action="${path}/approve"`)
  expect(text).toContain(`action="${path}/messages"`)
})

test('without a license in the state of the patient nothing is offered to sign', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states: ['WY'] })
  const { text } = await browser.get(`${home}/cases/${id}`)
  expect(text).toContain(`need a license in ${states[0]}`)
  expect(text).not.toContain('/approve"')
})

test('a second factor that is too old leads to a fresh one instead of the form', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states, factorSeconds: 15 * 60 + 1 })
  const { text } = await browser.get(`${home}/cases/${id}`)
  expect(text).toContain('prove your second factor')
  expect(text).not.toContain('/approve"')
})

test('the thread: messages of both sides, a message that is sent, and one that is refused', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const path = `${home}/cases/${id}/thread`
  expect((await browser.get(path)).text).toContain('None.')
  await browser.submit(path, { body: 'Please drink <enough>.' })
  expect(browser.page.text).toContain('The message is sent.')
  expect(browser.page.text).toContain('Please drink &lt;enough>.')
  await invokeOk(pages.fixtures, 'createMessage', {
    as: live(),
    id,
    body: { author: 'patient', body: 'I will.' },
  })
  expect((await browser.get(path)).text).toContain('I will.')
  expect((await browser.submit(path, { body: '' })).status).toBe(400)
  const records = await pages.signIn({ roles: ['records'] })
  expect((await records.browser.get(path)).text).not.toContain('Send the message')
})

test('a patient: what the clinic has, and 404 for one that it has not', async () => {
  const { patient } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ roles: ['records'] })
  const { text } = await browser.get(`${home}/patients/${patient}`)
  expect(text).toContain(rivera.email)
  for (const title of ['Cases', 'Prescriptions', 'Orders', 'Visits', 'Files']) {
    expect(text).toContain(`<h2>${title}</h2>`)
  }
})
