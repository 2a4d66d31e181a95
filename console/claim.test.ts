// Tests releasing a case whose page is closed.
import { expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { queuedCase, rivera } from '#clinical/testing/call.ts'
import { newSession } from '#auth/accounts/sessions.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]

/** A clinician with a claimed case open, who closes it or releases it. */
async function claimed() {
  const { id } = await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  const signed = await pages.signIn({ states })
  const { browser, home, person } = signed
  const path = `${home}/cases/${id}`
  const claimant = async () => {
    const [row] = await queryAsOwner<{ claimed_by: string | null }>(
      pages.fixtures,
      sql`select claimed_by from live.cases where id = ${id}`,
    )
    return row?.claimed_by ?? null
  }
  await browser.get(path)
  await browser.submit(`${path}/claim`)
  expect(await claimant()).toBe(person)
  return {
    ...signed,
    claimant,
    release: (values = {}) => browser.submit(`${path}/unclaim`, values),
  }
}

/** The person signs in to the console in another browser, and uses it this many minutes ago. */
async function signInElsewhere(person: string, minutesAgo: number) {
  const { id, hash, pepper, last4 } = newSession({ peppers: pages.fixtures.context.peppers })
  await queryAsOwner(
    pages.fixtures,
    sql`insert into auth.credentials
          (id, kind, origin, sign_in, person, name, scopes, hash, pepper, last4, expires_at,
           last_used_at)
        values (${id}, 'session', 'console', ${id}, ${person}, 'Session', '{}', ${hash}, ${pepper},
                ${last4}, now() + interval '12 hours',
                now() - ${minutesAgo}::int * interval '1 minute')`,
  )
}

const closed = { closed: '1' }

test('a case whose last window is closed is released', async () => {
  const { claimant, person, release } = await claimed()
  // The idle session in the other browser has ended.
  await signInElsewhere(person, 16)
  expect((await release(closed)).text).toContain('Released.')
  expect(await claimant()).toBeNull()
})

test('a case that may be open in another browser stays claimed until it’s released there', async () => {
  const { claimant, person, release } = await claimed()
  await signInElsewhere(person, 1)
  const { status, text } = await release(closed)
  expect([status, text.includes('Released.')]).toEqual([200, false])
  expect(await claimant()).toBe(person)
  const released = (await release()).text
  expect([released.includes('Released.'), released.includes('Assigned to you')]).toEqual([
    true,
    false,
  ])
  expect(await claimant()).toBeNull()
  expect(pages.failures).toEqual([])
})
