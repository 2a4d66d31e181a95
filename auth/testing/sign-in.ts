// Signs in a test person through the pages.
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

/** Sets the age of the second factor's confirmation, in seconds. */
export const ageFactor = (people: TestPeople, person: TestPerson, seconds: number) =>
  people.run(sql`
    update auth.credentials
       set second_factor_at = second_factor_at - ${seconds}::int * interval '1 second'
     where person = ${person.id} and kind = 'session'`)

/** Makes a delay after failures last a minute from now, however slow the machine is. */
export const holdDelays = (people: TestPeople) =>
  people.run(sql`
    update auth.failed_attempts set blocked_until = clock_timestamp() + interval '1 minute'
     where blocked_until is not null`)

/** The secret for an authenticator app that a page shows. */
export const secretIn = (text: string): string =>
  (/<p class="code secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '')

export const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
  (await browser.get('/account')).url === '/account'

/** The recovery codes on a page. */
export const codesIn = (text: string): string[] =>
  [...text.matchAll(/<li class="code">([0-9a-z-]{19})</g)].map(([, code = '']) => code)
