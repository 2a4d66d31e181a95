// Counts the page loads, actions and codes that a clinician needs to decide cases, by keyboard and
// then by mouse. DECIDED_CASES=60 is a day's work with each.
import { type Browser, expect, type Page, test } from '@playwright/test'
import { call, consolePage, fileCase } from './clinic.ts'
import { admin } from './servers.ts'
import { openSignedIn } from './staff.ts'

// Both tests take cases from one queue.
test.describe.configure({ mode: 'serial' })

type Kind = 'approve' | 'decline' | 'question'

const isDay = process.env.DECIDED_CASES !== undefined
const total = Number(process.env.DECIDED_CASES ?? 12)

/** With 12 cases: 8, 2 and 2. With 60: 40, 12 and 8. */
const kindOf = (at: number): Kind =>
  at % 6 === 5 ? (at % 30 === 29 ? 'approve' : 'question') : at % 6 === 2 ? 'decline' : 'approve'

const statuses = {
  approve: 'approved',
  decline: 'declined',
  question: 'waiting_on_patient',
} as const

/** Withdraws other tests' leftover cases, so the next case is one of this test's cases. */
async function emptyQueue(): Promise<void> {
  for (const status of ['queued', 'in_review', 'waiting_on_patient', 'waiting_on_integration']) {
    const { body } = await call<{ data: { id: string }[] }>(
      'GET',
      `/v1/cases?limit=100&status=${status}`,
    )
    for (const { id } of body.data) await call('POST', `/v1/cases/${id}/withdraw`, {})
  }
}

const files = async (kinds: readonly Kind[]) => {
  const cases = []
  for (const [at, kind] of kinds.entries()) cases.push({ kind, id: await fileCase(`Day ${at}`) })
  return cases
}

/** Makes the last signature, and its code, this many minutes older. */
const passMinutes = (minutes: number) =>
  admin(
    'sql',
    `update auth.credentials set signed_at = signed_at - interval '${minutes} minutes',
        second_factor_at = second_factor_at - interval '${minutes} minutes'
      where kind = 'session' and origin = 'console'`,
  )

async function start(browser: Browser) {
  const page = await openSignedIn(await browser.newContext(), 'clinician')
  const count = { loads: 0, actions: 0 }
  page.on('load', () => count.loads++)
  const act = async (action: Promise<unknown>) => {
    count.actions++
    await action
  }
  await page.goto(consolePage('/queue'))
  return { page, count, act }
}

type Act = Awaited<ReturnType<typeof start>>['act']

const texts = { decline: 'Please see a doctor in person first.', question: 'Since when?' } as const

async function byKeyboard(page: Page, act: Act, kind: Kind): Promise<void> {
  if (kind === 'approve') {
    await act(page.keyboard.press('a'))
    await act(page.keyboard.press('Enter'))
    return
  }
  await act(page.keyboard.press(kind === 'decline' ? 'd' : 'q'))
  await act(page.keyboard.type(texts[kind]))
  await act(page.keyboard.press('Control+Enter'))
}

async function byMouse(page: Page, act: Act, kind: Kind): Promise<void> {
  if (kind === 'approve')
    return act(page.getByRole('button', { name: 'Sign and open next' }).click())
  const [tab, field, button] =
    kind === 'decline'
      ? (['decline', 'Reason', 'Decline and open next'] as const)
      : (['ask', 'Question', 'Send and open next'] as const)
  await act(page.locator(`.panel-tabs input[value=${tab}]`).click())
  await act(page.locator(`.of-${tab}`).getByLabel(field).fill(texts[kind]))
  await act(page.getByRole('button', { name: button }).click())
}

/** Decides all cases, and returns the page loads and actions per case. */
async function decideAll(
  { page, count, act }: Awaited<ReturnType<typeof start>>,
  decide: typeof byKeyboard,
  kinds: readonly Kind[],
) {
  const cases = await files(kinds)
  await page.goto(consolePage('/queue'))
  await act(page.keyboard.press('t'))
  const most = { loads: 0, actions: 0 }
  for (const [at, { id, kind }] of cases.entries()) {
    await page.waitForURL(url => url.pathname.endsWith(id))
    await expect(page.getByRole('button', { name: 'Extend' })).toBeVisible()
    if (at % 4 === 3) await passMinutes(12)
    const before = { ...count }
    await decide(page, act, kind)
    await page.waitForURL(url => url.searchParams.has('done'))
    await page.waitForURL(url => !url.pathname.endsWith(id) || url.searchParams.has('last'))
    await page.waitForLoadState('load')
    most.loads = Math.max(most.loads, count.loads - before.loads)
    most.actions = Math.max(most.actions, count.actions - before.actions)
  }
  for (const { id, kind } of cases) {
    const { body } = await call<{ status: string }>('GET', `/v1/cases/${id}`)
    expect([id, body.status]).toEqual([id, statuses[kind]])
  }
  return most
}

test('a day of decisions takes one code, and each decision at most 2 page loads and 3 actions', async ({
  browser,
}) => {
  test.setTimeout(total * 20_000)
  await emptyQueue()
  const work = await start(browser)
  const kinds = Array.from({ length: total }, (_, at) => kindOf(at))
  const keyboard = await decideAll(work, byKeyboard, kinds)
  expect(keyboard.loads).toBeLessThanOrEqual(2)
  expect(keyboard.actions).toBeLessThanOrEqual(3)
  const mouse = await decideAll(work, byMouse, isDay ? kinds : ['approve', 'decline', 'question'])
  expect(mouse.loads).toBeLessThanOrEqual(2)
  expect(mouse.actions).toBeLessThanOrEqual(3)
  // No form requested a code after sign-in, during more than half an hour of steady work.
  await work.page.context().close()
})

test('a code is requested once, at the button, if the last signature is old', async ({
  browser,
}) => {
  await emptyQueue()
  const { page } = await start(browser)
  await passMinutes(16)
  const id = await fileCase('Late')
  await page.goto(consolePage(`/cases/${id}`))
  await page.locator('h1').press('a')
  // The code is the panel's first empty field.
  await expect(page.locator('.of-approve input[name=code]')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').first()).toContainText('Nothing was signed yet.')
  await expect(page.locator('.of-approve input[name=code]')).toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden()
  await page.locator('main').focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.context().close()
})
