// A form that came too early says how long to wait, down to the last second.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { usePages } from '../testing/pages.ts'
import { recoveriesOf } from '../testing/recoveries.ts'
import { enterPassword, signIn } from '../testing/sign-in.ts'

const setup = await usePages()
const { people, newBrowser, openMember, moveToNewNetwork } = setup
const { openRecovery } = recoveriesOf(setup)

type Send = () => Promise<Response>

/** Sends while so many seconds are left. On a slow machine one may have passed by then: it begins
 *  again, a few times. */
async function withLeft(seconds: number, hold: () => Promise<unknown>, send: Send) {
  const seen: unknown[] = []
  for (let tries = 0; tries < 5; tries++) {
    await hold()
    const answer = await send()
    const after = answer.headers.get('retry-after')
    if (answer.status === 429 && after === String(seconds)) return answer.text()
    seen.push([answer.status, after])
  }
  throw new Error(`No answer was 429 with ${seconds} seconds left: ${JSON.stringify(seen)}`)
}

const holdDelay = () =>
  people.run(sql`
    update auth.failed_attempts set blocked_until = clock_timestamp() + interval '1 second'`)

/** The window of a kind is full, and ends in so many seconds. */
const holdWindow = (kind: string, length: number, seconds: number) => () =>
  people.run(sql`
    update auth.failed_attempts
       set count = 1000,
           first_at = clock_timestamp() + ${seconds - length}::int * interval '1 second'
     where kind = ${kind}`)

async function openSignedIn(path: string) {
  const { person, browser } = await openMember()
  await signIn(browser, people, person)
  await browser.get(path)
  return { person, browser }
}

async function passwordOnly(path: string) {
  const { person, browser } = await openMember()
  await enterPassword(browser, person)
  await browser.get(path)
  return { person, browser }
}

async function openAt(path: string) {
  moveToNewNetwork()
  const browser = newBrowser()
  await browser.get(path)
  return { browser }
}

const newPassword = 'a river, a lamp, two geese'
type Form = [
  path: string,
  values: Record<string, string>,
  open: () => Promise<{ browser: TestBrowser }>,
]

const delayed: Form[] = [
  ['/sign-in', { email: 'a@example.com', password: 'wrong' }, () => openAt('/sign-in')],
  ['/sign-in/passkey', { answer: '{}' }, () => openAt('/sign-in')],
  ['/sign-in/code', { code: '000000' }, () => passwordOnly('/sign-in/code')],
  [
    '/sign-in/recovery-code',
    { code: '0000-0000-0000-0000' },
    () => passwordOnly('/sign-in/recovery-code'),
  ],
  ['/password', { current: 'wrong', password: newPassword }, () => openSignedIn('/password')],
  [
    '/recover/account',
    { decide: 'code', code: '000000', password: newPassword },
    async () => openRecovery(await people.addPerson()),
  ],
]

describe('429', () => {
  test.each(delayed)(
    '%s: an attempt a second too early waits for it',
    async (path, values, open) => {
      const { browser } = await open()
      const send = () => browser.post(path, values)
      const first = await send()
      expect(first.status).toBe(403)
      expect(first.headers.has('retry-after')).toBe(false)
      const text = await withLeft(1, holdDelay, send)
      expect(text).toContain(
        '<p class="alert" role="alert">There were too many attempts. Try again in 1 second.</p>',
      )
    },
  )

  test.each([
    ['/sign-up', { email: 'newcomer@example.com', name: 'Ada' }],
    ['/recover', { email: 'unknown@example.com' }],
  ] as const)('%s: an email a second too early is not sent', async (path, values) => {
    const { browser } = await openAt(path)
    const send = () => browser.post(path, values)
    expect((await send()).status).toBe(200)
    const text = await withLeft(1, holdWindow('email_network', 3600, 1), send)
    expect(text).toContain(
      '<p class="alert" role="alert">There were too many attempts. Try again in 1 second.</p>',
    )
    expect(text).toContain(`value="${values.email}"`)
  })

  test.each([
    [3600, '60 minutes'],
    [121, '3 minutes'],
    [120, '2 minutes'],
    [119, '119 seconds'],
    [1, '1 second'],
  ])('/device: a network with wrong codes waits %p s, said as %p', async (seconds, said) => {
    const { browser } = await openSignedIn('/device')
    const send = () => browser.post('/device', { user_code: 'BCDF-GHJK' })
    await send()
    const hold = async () => {
      await people.run(sql`delete from auth.failed_attempts where kind = 'device_code'`)
      await holdWindow('device_code_network', 3600, seconds)()
    }
    const text = await withLeft(seconds, hold, send)
    expect(text).toContain('Too many wrong codes')
    expect(text).toContain(`Too many codes from your network were wrong. Try again in ${said}.`)
  })
})
