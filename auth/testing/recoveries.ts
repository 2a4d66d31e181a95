// Setup for recovery tests: requesting a link, and the steps after it.
import { sql } from '#database/sql.ts'
import { emailsTo, linkTo } from './emails.ts'
import type { usePages } from './pages.ts'
import type { TestPerson } from './people.ts'

type Pages = Awaited<ReturnType<typeof usePages>>

export function recoveriesOf({ people, newBrowser, moveToNewNetwork }: Pages) {
  async function askFor(email: string) {
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get('/recover')
    await browser.submit('/recover', { email })
    return browser
  }

  /** Opens the page behind the emailed link. */
  async function openRecovery(person: TestPerson) {
    await askFor(person.email)
    const link = await linkTo(people, person.email, 'recovery')
    const browser = newBrowser()
    await browser.get(link)
    return { browser, link }
  }

  async function begun(person: TestPerson) {
    const opened = await openRecovery(person)
    await opened.browser.submit('/recover/account', { decide: 'wait' })
    return opened
  }

  /** Makes a recovery look this many hours old. */
  const pass = (person: TestPerson, hours: number) =>
    people.run(sql`
      update auth.recoveries
         set effective_at = effective_at - ${hours}::int * interval '1 hour',
             expires_at = expires_at - ${hours}::int * interval '1 hour'
       where person = ${person.id} and begun_at is not null`)

  const kindsTo = async ({ email }: TestPerson) =>
    (await emailsTo(people, email)).map(({ kind }) => kind)

  async function signsInWith(person: TestPerson, given: string): Promise<boolean> {
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get('/sign-in')
    return (
      (await browser.submit('/sign-in', { email: person.email, password: given })).status === 200
    )
  }
  return { askFor, openRecovery, begun, pass, kindsTo, signsInWith }
}
