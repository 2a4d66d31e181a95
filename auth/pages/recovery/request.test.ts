// Asking for a link to recover an account.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { withoutChance } from '../../testing/browser.ts'
import { emailsTo, linkTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { password } from '../../testing/people.ts'
import { recoveriesOf } from '../../testing/recoveries.ts'

const setup = await usePages()
const { people, newBrowser } = setup
const { askFor, openRecovery, kindsTo, signsInWith } = recoveriesOf(setup)

describe('asking for a link', () => {
  test('the answer is the same for an unknown address, byte by byte', async () => {
    const person = await people.addPerson()
    const [known, unknown] = [await askFor(person.email), await askFor('unknown@example.com')]
    const answerOf = ({ page }: typeof known, email: string) => ({
      status: page.status,
      text: withoutChance(page.text).replaceAll(email, 'EMAIL'),
    })
    expect(answerOf(known, person.email)).toEqual(answerOf(unknown, 'unknown@example.com'))
    expect(await kindsTo(person)).toEqual(['recovery_requested'])
    expect(await emailsTo(people, 'unknown@example.com')).toEqual([])
  })

  test('three in an hour are sent, and each link lives for an hour', async () => {
    const person = await people.addPerson()
    for (let at = 0; at < 4; at++) await askFor(person.email)
    expect(await kindsTo(person)).toHaveLength(3)
    const link = await linkTo(people, person.email, 'recovery')
    await people.run(sql`
      update auth.recoveries set expires_at = expires_at - interval '1 hour'
       where person = ${person.id}`)
    expect((await newBrowser().get(link)).status).toBe(404)
  })

  test('opening the link changes nothing', async () => {
    const person = await people.addPerson()
    const { browser, link } = await openRecovery(person)
    await browser.get(link)
    expect(await signsInWith(person, password)).toBe(true)
    expect(await kindsTo(person)).toEqual(['recovery_requested'])
  })
})
