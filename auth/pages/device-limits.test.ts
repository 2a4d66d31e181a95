// What a person needs to connect a device: a fresh second factor, and the right code soon.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { beginDevice, registerClient } from '../testing/clients.ts'
import {
  openPeople,
  openTestPages,
  type TestPages,
  type TestPeople,
  type TestPerson,
} from '../testing/people.ts'
import { ageFactor, enterPassword, signIn } from '../testing/sign-in.ts'

let people: TestPeople
let pages: TestPages
beforeAll(async () => {
  people = await openPeople()
  pages = await openTestPages(people)
})
afterAll(async () => {
  await pages.close()
  await people.close()
  expect(pages.failures).toEqual([])
})

let networks = 0
/** Each in a network of its own, because wrong codes are counted by network. */
async function openMember(role = 'owner') {
  pages.caller.address = `198.51.100.${++networks}`
  const person = await people.addPerson()
  const integration = await people.addMember(person, role)
  return { person, integration, browser: openBrowser(pages.origin) }
}

const begin = async () =>
  beginDevice(await registerClient(pages.origin), { resource: pages.resources.mcp })

async function enter(browser: TestBrowser, code: string) {
  await browser.get('/device')
  return browser.submit('/device', { user_code: code })
}

const decide = (browser: TestBrowser, values: Record<string, string>) =>
  browser.submit('/device/request', values)

const families = async (person: TestPerson) => [
  ...(await people.run(sql`
    select integration, scopes, audience, mode from auth.token_families
     where person = ${person.id} and kind = 'device'`)),
]

describe('the second factor of a device', () => {
  test('older than five minutes: its page, and back to the request', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    await enter(browser, device.userCode)
    const request = browser.page.url
    await ageFactor(people, person, 290)
    expect((await browser.get(request)).url).toBe(request)
    await ageFactor(people, person, 11)
    const factor = await decide(browser, { decide: 'approve' })
    expect(factor.url).toStartWith('/sign-in/code?next=')
    expect(factor.text).toContain('Confirm that it is you')
    expect(await families(person)).toEqual([])
    const back = await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    expect(back.url).toBe(request)
    expect((await decide(browser, { decide: 'approve' })).url).toBe('/device/approved')
  })

  test('a person without one cannot approve', async () => {
    await openMember()
    const person = await people.addPerson(false)
    await people.addMember(person)
    const browser = openBrowser(pages.origin)
    await enterPassword(browser, person, '/sign-in?next=%2Fdevice')
    expect(browser.page.text).toContain('A second factor is needed')
    expect((await browser.get('/device')).text).toContain('A second factor is needed')
  })
})

describe('wrong codes', () => {
  test('422: what cannot be a code is not counted', async () => {
    const { person, browser } = await openMember()
    await signIn(browser, people, person)
    for (let count = 0; count < 7; count++) {
      const page = await enter(browser, 'AEIOU-123')
      expect(page.status).toBe(422)
      expect(page.text).toContain('Code must be eight letters without vowels')
    }
  })

  test('after five in a session the second factor is asked for again', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    for (let count = 0; count < 5; count++) {
      expect((await enter(browser, 'BCDF-GHJK')).status).toBe(404)
    }
    expect((await enter(browser, device.userCode)).url).toBe('/sign-in/code?next=%2Fdevice')
    expect((await browser.get('/device')).url).toBe('/sign-in/code?next=%2Fdevice')
    await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    expect((await enter(browser, device.userCode)).url).toStartWith('/device/request?')
  })

  test('of forty simultaneous ones in a session, five are looked up', async () => {
    const { person, browser } = await openMember()
    await signIn(browser, people, person)
    await browser.get('/device')
    const form = /action="\/device"[^]*?name="form" value="([^"]+)"/.exec(browser.page.text)?.[1]
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        browser.send('/device', {
          method: 'POST',
          body: new URLSearchParams({ form: form ?? '', user_code: 'BCDF-GHJK' }),
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5)
  })

  test('429: after thirty from a network in an hour, in whichever session', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    for (let count = 0; count < 30; count++) {
      if (browser.page.url !== '/device') {
        await browser.get('/device')
        if (browser.page.url !== '/device') {
          await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
        }
      }
      const page = await browser.submit('/device', { user_code: 'BCDF-GHJK' })
      if (page.status !== 404) count--
    }
    const other = await people.addPerson()
    await people.addMember(other)
    const fresh = openBrowser(pages.origin)
    await signIn(fresh, people, other)
    const refused = await enter(fresh, device.userCode)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    pages.caller.address = `198.51.100.${++networks}`
    expect((await enter(fresh, device.userCode)).url).toStartWith('/device/request?')
  })
})
