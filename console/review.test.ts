// Tests reviewing a case and moving an order with only the pages, and two people who act
// simultaneously.
import { expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk, queuedCase, rivera, semaglutide } from '#clinical/testing/call.ts'
import { patientIn } from '#clinical/testing/visits.ts'
import { sql } from '#database/sql.ts'
import { submitWhole } from './testing/submit-whole.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const live = () => pages.fixtures.ada.live

test('a case is claimed, gets a question, is signed with another plan, and its order is completed', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home, person } = await pages.signIn({ roles: ['clinician'], states })
  const queue = await browser.get(`${home}/queue`)
  expect(queue.text).toContain(`href="${home}/cases/${id}"`)
  expect(queue.text).toMatch(/>\d+ min\. ago</)
  await browser.get(`${home}/cases/${id}`)
  await browser.submit(`${home}/cases/${id}/claim`)
  expect(browser.page.text).toContain('Assigned to you until')
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
  expect(browser.page.text).toContain('Plan signed.')
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

test('a refused decision says what to enter, by the labels on the page', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states })
  const path = `${home}/cases/${id}`
  await browser.get(path)
  const medication_id = semaglutide
  for (const [form, values, text] of [
    ['decline', {}, 'Enter a reason.'],
    ['approve', { line_0_medication_id: '' }, 'Choose at least one medication.'],
    [
      'approve',
      {
        line_0_medication_id: '',
        line_1_medication_id: medication_id,
        line_1_quantity: 'three',
      },
      'Medication 2: enter a whole number for the quantity.',
    ],
    [
      'approve',
      { line_0_medication_id: 'med_unknown', line_1_medication_id: medication_id },
      'Medication 1: choose a medication that your clinic dispenses.',
    ],
  ] as const) {
    await submitWhole(browser, `${path}/${form}`, values)
    expect([browser.page.status, browser.page.text.includes(text), text]).toEqual([400, true, text])
  }
  expect(pages.failures).toEqual([])
})

test('if two clinicians sign at once, one succeeds and the other sees that the case changed', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const staff = await Promise.all([0, 1].map(() => pages.signIn({ states })))
  for (const { browser, home } of staff) await browser.get(`${home}/cases/${id}`)
  const answers = await Promise.all(
    staff.map(({ browser, home }) => submitWhole(browser, `${home}/cases/${id}/approve`)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.text).toContain(
    'Someone changed this after you opened',
  )
  const { prescription_ids } = await invokeOk(pages.fixtures, 'getCase', { as: live(), id })
  expect(prescription_ids).toHaveLength(1)
  expect(pages.failures).toEqual([])
})

test('a case claimed by a colleague names them, and allows only messages', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const [one, other] = await Promise.all([pages.signIn({ states }), pages.signIn({ states })])
  const path = `${one.home}/cases/${id}`
  await one.browser.get(path)
  await one.browser.submit(`${path}/claim`)
  const { text } = await other.browser.get(path)
  expect(text).toContain('Assigned to Ada ')
  expect(text).not.toContain(`action="${path}/approve"`)
  expect(text).toContain(`action="${path}/messages"`)
})

test('without a license in the patient’s state, there is nothing to sign', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states: ['WY'] })
  const { text } = await browser.get(`${home}/cases/${id}`)
  expect(text).toContain(`need a current license in ${states[0]}`)
  expect(text).not.toContain('/approve"')
})

test('an old second factor is verified in the signing form', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home, nextCode } = await pages.signIn({ states, factorSeconds: 15 * 60 + 1 })
  const path = `${home}/cases/${id}`
  expect((await browser.get(path)).text).toContain('name="code"')
  const status = async () => (await invokeOk(pages.fixtures, 'getCase', { as: live(), id })).status
  for (const [code, words] of [
    ['', 'Enter a code'],
    ['000000', 'Enter the current code'],
  ] as const) {
    await submitWhole(browser, `${path}/approve`, { code, line_0_directions: 'At night.' })
    expect([browser.page.status, browser.page.text.includes(words)]).toEqual([403, true])
    expect(browser.page.text).toContain('value="At night."')
    expect(await status()).toBe('queued')
  }
  await submitWhole(browser, `${path}/approve`, { code: nextCode() })
  expect(browser.page.text).toContain('Plan signed.')
  expect(await status()).toBe('approved')
  expect(pages.failures).toEqual([])
})

test('a code counts for fifteen minutes from the last signature, and once', async () => {
  const staff = await pages.signIn({ states, factorSeconds: 15 * 60 + 1 })
  const { browser, home, person } = staff
  const decide = async (code?: string) => {
    const { id } = await queuedCase(pages.fixtures, live())
    await browser.get(`${home}/cases/${id}`)
    return submitWhole(browser, `${home}/cases/${id}/approve`, code === undefined ? {} : { code })
  }
  const pass = (minutes: number) =>
    queryAsOwner(
      pages.fixtures,
      sql`update auth.credentials
             set second_factor_at = second_factor_at - ${minutes}::int * interval '1 minute',
                 signed_at = signed_at - ${minutes}::int * interval '1 minute'
           where person = ${person}`,
    )
  const code = staff.nextCode()
  expect((await decide(code)).text).toContain('Plan signed.')
  // Ten signatures over more than two hours: each keeps the factor fresh for the next.
  for (let signed = 0; signed < 10; signed++) {
    await pass(14)
    expect((await decide()).text).toContain('Plan signed.')
  }
  await pass(16)
  expect((await decide()).status).toBe(403)
  expect((await decide(code)).status).toBe(403)
  // A message isn't a signature.
  await pass(-4)
  const { id } = await queuedCase(pages.fixtures, live())
  await browser.get(`${home}/cases/${id}`)
  await browser.submit(`${home}/cases/${id}/messages`, { body: 'Hello.' })
  await pass(4)
  expect((await decide()).status).toBe(403)
})

test('a decision leads to the next case, already claimed; a skipped case is released', async () => {
  const { id: first } = await queuedCase(pages.fixtures, live())
  const { id: second } = await queuedCase(pages.fixtures, live())
  const { browser, home, person, sendForm } = await pages.signIn({ states })
  const claimOf = async (id: string) => {
    const [row] = await queryAsOwner<{ claimed_by: string | null }>(
      pages.fixtures,
      sql`select claimed_by from live.cases where id = ${id}`,
    )
    return row?.claimed_by
  }
  await browser.get(`${home}/cases/${first}`)
  const next = await submitWhole(browser, `${home}/cases/${first}/approve`, { after: 'next' })
  expect(next.url).toStartWith(`${home}/cases/${second}`)
  expect(next.text).toContain('Plan signed.')
  expect(next.text).toContain(`href="${home}/cases/${first}"`)
  expect(await claimOf(second)).toBe(person)
  const wrong = await sendForm(`${home}/cases/${second}/skip`)
  expect([wrong.status, await claimOf(second)]).toEqual([400, person])
  await browser.get(`${home}/cases/${second}`)
  await browser.submit(`${home}/cases/${second}/skip`)
  expect(await claimOf(second)).toBeNull()
  await browser.get(`${home}/queue`)
  const taken = await browser.submit(`${home}/queue/next`)
  const [, id = ''] = /cases\/(case_\w+)/.exec(taken.url) ?? []
  expect(await claimOf(id)).toBe(person)
  // People who take the next case simultaneously get different cases, however often they're too
  // late for one.
  const others = await Promise.all(Array.from({ length: 8 }, () => pages.signIn({ states })))
  for (const other of others) {
    await queuedCase(pages.fixtures, live())
    await other.browser.get(`${home}/queue`)
  }
  const all = await Promise.all(others.map(one => one.browser.submit(`${home}/queue/next`)))
  const cases = all.flatMap(({ url }) => /cases\/(case_\w+)/.exec(url)?.[1] ?? [])
  expect(new Set(cases).size).toBe(others.length)
  expect(pages.failures).toEqual([])
})

test('opening a case from the console claims it for a clinician who may decide it', async () => {
  const claimAfter = async (headers: Record<string, string>, given = {}) => {
    const { id } = await queuedCase(pages.fixtures, live())
    const { browser, home, person } = await pages.signIn({ states, ...given })
    await (await browser.send(`${home}/cases/${id}`, { headers })).text()
    const [row] = await queryAsOwner<{ claimed_by: string | null }>(
      pages.fixtures,
      sql`select claimed_by from live.cases where id = ${id}`,
    )
    return row?.claimed_by === person
  }
  const followed = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
  expect(await claimAfter(followed)).toBe(true)
  expect(await claimAfter({})).toBe(false)
  expect(await claimAfter({ ...followed, 'sec-fetch-site': 'cross-site' })).toBe(false)
  expect(await claimAfter({ ...followed, 'sec-purpose': 'prefetch' })).toBe(false)
  expect(await claimAfter(followed, { roles: ['nurse'] })).toBe(false)
  expect(await claimAfter(followed, { roles: ['records'] })).toBe(false)
  expect(await claimAfter(followed, { states: ['WY'] })).toBe(false)
})

test('messages: the chart shows both sides’ messages, and sends or refuses new ones', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const chart = `${home}/cases/${id}`
  // The URL of a page that no longer exists.
  expect((await browser.get(`${chart}/thread`)).text).toMatch(/No [^.]*messages/)
  await browser.get(chart)
  await browser.submit(`${chart}/messages`, { body: 'Please drink <enough>.' })
  expect(browser.page.text).toContain('Message sent.')
  expect(browser.page.text).toContain('Please drink &lt;enough>.')
  await invokeOk(pages.fixtures, 'createMessage', {
    as: live(),
    id,
    body: { author: 'patient', body: 'I will.' },
  })
  expect((await browser.get(chart)).text).toContain('I will.')
  expect((await browser.submit(`${chart}/messages`, { body: '' })).status).toBe(400)
  const records = await pages.signIn({ roles: ['records'] })
  expect((await records.browser.get(chart)).text).not.toContain('Send message')
})

test('a patient: everything the clinic has; 404 for another clinic’s patient', async () => {
  const { patient } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ roles: ['records'] })
  const { text } = await browser.get(`${home}/patients/${patient}`)
  expect(text).toContain(rivera.email)
  for (const title of ['Cases', 'Prescriptions', 'Orders', 'Visits', 'Files']) {
    expect(text).toContain(`<h2>${title}</h2>`)
  }
  const other = await patientIn(pages.fixtures, 'CA', live())
  const { text: bare } = await browser.get(`${home}/patients/${other}`)
  expect(bare).toContain('<h2>Cases</h2><p class="quiet">None</p>')
})
