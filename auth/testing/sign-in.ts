// Signs a person of a test in, as the pages ask for it.
import { sql } from '#database/sql.ts'
import type { BrowsedPage, TestBrowser } from './browser.ts'
import { password, type TestPeople, type TestPerson } from './people.ts'

export async function enterPassword(
  browser: TestBrowser,
  person: TestPerson,
  path = '/sign-in',
): Promise<BrowsedPage> {
  await browser.get(path)
  return browser.submit('/sign-in', { email: person.email, password })
}

export async function signIn(
  browser: TestBrowser,
  people: TestPeople,
  person: TestPerson,
  path?: string,
): Promise<BrowsedPage> {
  await enterPassword(browser, person, path)
  return browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
}

/** As if the second factor had been proved so long ago. */
export const ageFactor = (people: TestPeople, person: TestPerson, seconds: number) =>
  people.run(sql`
    update auth.credentials
       set second_factor_at = second_factor_at - ${seconds}::int * interval '1 second'
     where person = ${person.id} and kind = 'session'`)

/** A delay after failures lasts a minute from now, however slow the machine is. */
export const holdDelays = (people: TestPeople) =>
  people.run(sql`
    update auth.failed_attempts set blocked_until = clock_timestamp() + interval '1 minute'
     where blocked_until is not null`)
