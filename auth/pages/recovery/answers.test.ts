// What the pages of a recovery offer at each step, and answer to what they do not offer.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import type { BrowsedPage } from '../../testing/browser.ts'
import { usePages } from '../../testing/pages.ts'
import { password } from '../../testing/people.ts'
import { recoveriesOf } from '../../testing/recoveries.ts'

const setup = await usePages()
const { people, pages, newBrowser, moveToNewNetwork } = setup
const { openRecovery, begun, pass, signsInWith } = recoveriesOf(setup)

const newPassword = 'a river, a lamp, two geese'
const path = '/recover/account'

const offers = {
  code: 'You have your authenticator app or a recovery code',
  wait: 'You have neither',
  begun: 'this link lets you set a new password and a new',
  password: 'Your authenticator app, passkeys and recovery codes are removed',
} as const

const offersIn = ({ text }: BrowsedPage) =>
  Object.entries(offers)
    .filter(([, said]) => text.replaceAll(/\s+/g, ' ').includes(said))
    .map(([name]) => name)

describe('a recovery', () => {
  test.each([
    [true, [['code', 'wait'], ['code', 'begun'], ['password']]],
    [false, [['wait'], ['begun'], ['password']]],
  ])('of a person with a second factor (%p) offers what is possible', async (hasFactor, all) => {
    const person = await people.addPerson(hasFactor)
    const { browser, link } = await openRecovery(person)
    const first = offersIn(browser.page)
    expect(browser.page.text).not.toContain('class="alert"')
    const waiting = await browser.submit(path, { decide: 'wait' })
    expect(waiting.status).toBe(200)
    expect(offersIn(waiting)).toEqual(all[1] ?? [])
    await pass(person, 24)
    expect([first, offersIn(waiting), offersIn(await browser.get(link))]).toEqual(all)
  })

  test('sets no password before its time: the page stays as it is', async () => {
    const person = await people.addPerson()
    const { browser } = await begun(person)
    for (const decide of ['password', '', 'other']) {
      const page = await browser.submit(path, { decide, password: newPassword })
      expect([decide, page.status, offersIn(page)]).toEqual([decide, 200, ['code', 'begun']])
    }
    expect(await signsInWith(person, password)).toBe(true)
  })

  test('403 and 422 stand at the code and at the password', async () => {
    const person = await people.addPerson()
    const { browser } = await openRecovery(person)
    const given = { decide: 'code', code: '000000', password: newPassword }
    const wrong = await browser.submit(path, given)
    expect(wrong.status).toBe(403)
    expect(wrong.text).toContain('<p class="fault" id="code-fault">Code must be the current one')
    const weak = await browser.submit(path, { ...given, password: 'short' })
    expect(weak.status).toBe(422)
    expect(weak.text).toContain('<p class="fault" id="password-fault">Password must have')
    expect(weak.text).not.toContain('code-fault')
  })

  test('takes a code of the app as it is typed, with spaces', async () => {
    const person = await people.addPerson()
    const { browser } = await openRecovery(person)
    const code = people.clock.nextCode(person).replace(/^(\d{3})/, ' $1 ')
    const page = await browser.submit(path, { decide: 'code', code, password: newPassword })
    expect(page.text).toContain('<h1>Your password is set</h1>')
  })

  test('404: its link has ended while the page was open', async () => {
    const person = await people.addPerson()
    const { browser } = await openRecovery(person)
    await people.run(sql`
      update auth.recoveries set cancelled_at = now() where person = ${person.id}`)
    for (const decide of ['wait', 'code', 'password']) {
      const answer = await browser.post(path, { decide, code: '000000', password: newPassword })
      expect([decide, answer.status]).toEqual([decide, 404])
      expect(await answer.text()).toContain('<h1>This link works no longer</h1>')
    }
  })

  test('404: a link to stop it that was changed', async () => {
    const page = await newBrowser().get('/recover/cancel?token=x')
    expect(page.status).toBe(404)
    expect(page.text).toContain('<h1>There is nothing to stop</h1>')
  })
})

test('asking for a link: 422 for what is no address, and nothing is sent', async () => {
  moveToNewNetwork()
  const browser = newBrowser()
  const first = await browser.get('/recover')
  expect(first.text).not.toContain('class="alert"')
  for (const email of ['', 'ada', `${'a'.repeat(250)}@example.com`]) {
    const page = await browser.submit('/recover', { email })
    expect([email, page.status]).toEqual([email, 422])
    expect(page.text).toContain('Email must be an email address, such as ada@example.com.')
  }
  const rows = await people.run(
    sql`select from audit.entries where address = ${pages.caller.address}`,
  )
  expect(rows).toHaveLength(0)
})
