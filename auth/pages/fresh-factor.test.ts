// What needs a second factor of the last five minutes, and what one that was proved at all.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { usePages } from '../testing/pages.ts'
import type { TestPerson } from '../testing/people.ts'
import { signIn } from '../testing/sign-in.ts'

const { people, newBrowser, openMember } = await usePages()

/** As if the second factor had been proved so long ago, to the millisecond; null: never. */
const proveAgo = ({ id }: TestPerson, seconds: number | null) =>
  people.run(sql`
    update auth.credentials
       set second_factor_at = clock_timestamp() - ${seconds}::float8 * interval '1 second'
     where person = ${id} and kind = 'session'`)

async function openSignedIn() {
  const { person, browser } = await openMember()
  await signIn(browser, people, person)
  return { person, browser }
}

const handoff = `/handoff?${new URLSearchParams({
  to: 'portal',
  browser: Buffer.alloc(32).toString('base64url'),
  fresh: '1',
})}`

const fresh = [
  '/device',
  '/device?user_code=BCDF-GHJK',
  '/second-factor',
  '/passkeys',
  '/password',
  '/recovery-codes',
  '/account/close',
  handoff,
]
const proven = ['/', '/account', handoff.replace('&fresh=1', '')]

const codePath = (next: string) =>
  next === '/' ? '/sign-in/code' : `/sign-in/code?${new URLSearchParams({ next })}`

describe('a second factor', () => {
  test.each(fresh)(
    'of five minutes ago is too old for %s, and a younger one is not',
    async path => {
      const { person, browser } = await openSignedIn()
      const locationOf = async () => (await browser.send(path)).headers.get('location') ?? ''
      await proveAgo(person, 290)
      expect(await locationOf()).not.toStartWith('/sign-in')
      await proveAgo(person, 300.1)
      expect(await locationOf()).toBe(codePath(path))
    },
  )

  test.each(proven)('of hours ago is good for %s, and none is not', async path => {
    const { person, browser } = await openSignedIn()
    const locationOf = async () => (await browser.send(path)).headers.get('location') ?? ''
    await proveAgo(person, 7 * 3600)
    expect(await locationOf()).not.toStartWith('/sign-in')
    await proveAgo(person, null)
    expect(await locationOf()).toBe(codePath(path))
  })

  test('that was taken away since proves nothing', async () => {
    const { person, browser } = await openSignedIn()
    await people.run(sql`
      update auth.person_factors set totp_secret = null, totp_step = null
       where person = ${person.id}`)
    const { location } = Object.fromEntries((await browser.send('/device')).headers)
    expect(location).toBe('/second-factor?next=%2Fdevice')
  })
})

test('a form of a session whose second factor is not proved any more changes nothing', async () => {
  const { person, browser } = await openSignedIn()
  await signIn(newBrowser(), people, person)
  await browser.get('/account')
  await people.run(sql`
    update auth.credentials set second_factor_at = null where person = ${person.id}`)
  const page = await browser.submit('/sessions/end')
  expect(page.url).toBe('/sign-in/code?next=%2Faccount')
  const [row] = await people.run(sql`
    select count(*)::int as open from auth.credentials
     where person = ${person.id} and kind = 'session' and revoked_at is null`)
  expect(row).toEqual({ open: 2 })
})
