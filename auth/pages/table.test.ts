// Tests every row in the account pages' table, with and without the factor it requires.
import { beforeAll, describe, expect, test } from 'bun:test'
import type { PageRow } from '#http/pages/table.ts'
import { expectPage, requestTo, sweepForms, sweepRow } from '#http/pages/testing/sweep.ts'
import { sql } from '#database/sql.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { usePages } from '../testing/pages.ts'
import type { TestPerson } from '../testing/people.ts'
import { enterPassword, signIn } from '../testing/sign-in.ts'
import { rows, table } from './table.ts'

const { people, newBrowser, openMember, moveToNewNetwork } = await usePages()

type SignedIn = { person: TestPerson; browser: TestBrowser }
let proven: SignedIn
let old: SignedIn
let passwordOnly: SignedIn
let factorless: SignedIn
beforeAll(async () => {
  const [one, two, three] = [await openMember(), await openMember(), await openMember()]
  for (const { browser, person } of [one, two]) await signIn(browser, people, person)
  await enterPassword(three.browser, three.person)
  moveToNewNetwork()
  const four = { person: await people.addPerson(false), browser: newBrowser() }
  await enterPassword(four.browser, four.person)
  ;[proven, old, passwordOnly, factorless] = [one, two, three, four]
})

/** Sets the age of the second factor's confirmation, in seconds. */
const proveAgo = ({ person }: SignedIn, seconds: number) =>
  people.run(sql`
    update auth.credentials
       set second_factor_at = clock_timestamp() - ${seconds}::float8 * interval '1 second'
     where person = ${person.id} and kind = 'session'`)

const stepTo = (path: string, next: string) =>
  next === '/' ? path : `${path}?${new URLSearchParams({ next })}`

sweepForms(table)

const backOf = ({ path, page = path }: PageRow) =>
  page.replace('{interaction}', 'none_that_there_is')

describe.each(table.ids)('%s', id => {
  const row: PageRow = rows[id]
  const path = row.path.replace('{interaction}', 'none_that_there_is')
  const back = backOf(row)
  const locationFor = async ({ browser }: SignedIn) =>
    (await browser.send(path, requestTo(row))).headers.get('location') ?? ''

  sweepRow(row, {
    open: async () => ({ browser: proven.browser, path }),
    signedOut(token) {
      const browser = newBrowser()
      if (token !== undefined) browser.cookies.set('auth_session', token)
      return browser
    },
  })

  if (row.method === 'GET') {
    test('is a page, with scripts if a passkey, password or local time needs them', async () => {
      const { browser } = row.who === 'anyone' ? { browser: newBrowser() } : proven
      const answer = await browser.send(path)
      const text = await answer.text()
      // Pages behind links from emails or other origins don't work without the link.
      expect([200, 303, 400, 404]).toContain(answer.status)
      expectPage(answer, text)
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy.includes("script-src 'self'")).toBe(/data-(passkey|reveal|zoned)/.test(text))
      if (row.who !== 'anyone' && answer.status === 200) expect(text).toContain(proven.person.email)
    })
  }

  if (row.who === 'anyone') return
  test('the page first asks for the factor that its row requires', async () => {
    expect(await locationFor(passwordOnly)).toBe(stepTo('/sign-in/code', back))
    expect(await locationFor(factorless)).toBe(
      row.factor === 'first' ? '' : stepTo('/second-factor', back),
    )
    const isFresh = row.factor !== undefined
    for (const [seconds, isTooOld] of [
      [290, false],
      [300.1, isFresh],
      [7 * 3600, isFresh],
    ] as const) {
      await proveAgo(old, seconds)
      const location = await locationFor(old)
      if (isTooOld) expect(location).toBe(stepTo('/sign-in/code', back))
      else expect(location).not.toStartWith('/sign-in')
    }
  })
})

test('a removed second factor no longer counts', async () => {
  const { person, browser } = await openMember()
  await signIn(browser, people, person)
  await people.run(sql`
    update auth.person_factors set totp_secret = null, totp_step = null
     where person = ${person.id}`)
  const { headers } = await browser.send('/device')
  expect(headers.get('location')).toBe('/second-factor?next=%2Fdevice')
})
