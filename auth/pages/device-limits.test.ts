// What a person needs to connect a device: a fresh second factor, and the right code soon.
import { describe, expect, test } from 'bun:test'
import { hiddenFields } from '../testing/browser.ts'
import { beginDevice, registerClient } from '../testing/clients.ts'
import { decideRequest, deviceFamilies, enterCode } from '../testing/devices.ts'
import { usePages } from '../testing/pages.ts'
import { ageFactor, enterPassword, signIn } from '../testing/sign-in.ts'

const { people, pages, openMember, moveToNewNetwork, newBrowser } = await usePages()

const begin = async () =>
  beginDevice(await registerClient(pages.origin), { resource: pages.resources.mcp })

describe('the second factor of a device', () => {
  test('older than five minutes: its page, and back to the request', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    await enterCode(browser, device.userCode)
    const request = browser.page.url
    await ageFactor(people, person, 290)
    expect((await browser.get(request)).url).toBe(request)
    await ageFactor(people, person, 11)
    const factor = await decideRequest(browser, { decide: 'approve' })
    expect(factor.url).toStartWith('/sign-in/code?next=')
    expect(factor.text).toContain('Confirm that it is you')
    expect(await deviceFamilies(people, person)).toEqual([])
    const back = await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    expect(back.url).toBe(request)
    expect((await decideRequest(browser, { decide: 'approve' })).url).toBe('/device/approved')
  })

  test('a person without one adds it first', async () => {
    await openMember()
    const person = await people.addPerson(false)
    await people.addMember(person)
    const browser = newBrowser()
    await enterPassword(browser, person, '/sign-in?next=%2Fdevice')
    expect(browser.page.url).toBe('/second-factor?next=%2Fdevice')
    expect((await browser.get('/device')).url).toBe('/second-factor?next=%2Fdevice')
  })
})

describe('wrong codes', () => {
  test('422: what cannot be a code is not counted', async () => {
    const { person, browser } = await openMember()
    await signIn(browser, people, person)
    for (let count = 0; count < 7; count++) {
      const page = await enterCode(browser, 'AEIOU-123')
      expect(page.status).toBe(422)
      expect(page.text).toContain('Code must be eight letters without vowels')
    }
  })

  test('after five in a session the second factor is asked for again', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    for (let count = 0; count < 5; count++) {
      expect((await enterCode(browser, 'BCDF-GHJK')).status).toBe(404)
    }
    expect((await enterCode(browser, device.userCode)).url).toBe('/sign-in/code?next=%2Fdevice')
    expect((await browser.get('/device')).url).toBe('/sign-in/code?next=%2Fdevice')
    await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    expect((await enterCode(browser, device.userCode)).url).toStartWith('/device/request?')
  })

  test('of forty simultaneous ones in a session, five are looked up', async () => {
    const { person, browser } = await openMember()
    await signIn(browser, people, person)
    await browser.get('/device')
    const { form = '' } = hiddenFields(browser.page.text, '/device')
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        browser.send('/device', {
          method: 'POST',
          body: new URLSearchParams({ form, user_code: 'BCDF-GHJK' }),
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
    const fresh = newBrowser()
    await signIn(fresh, people, other)
    const refused = await enterCode(fresh, device.userCode)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    moveToNewNetwork()
    expect((await enterCode(fresh, device.userCode)).url).toStartWith('/device/request?')
  })
})
