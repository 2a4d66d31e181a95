// What the page for the code of a device says and repeats.
import { expect, test } from 'bun:test'
import { beginDevice, registerClient } from '../testing/clients.ts'
import { enterCode } from '../testing/devices.ts'
import { usePages } from '../testing/pages.ts'
import { signIn } from '../testing/sign-in.ts'

const { people, pages, openMember } = await usePages()

async function openSignedIn() {
  const opened = await openMember()
  await signIn(opened.browser, people, opened.person)
  return opened
}

const lead = (text: string) => /<p class="lead">([^<]*)</.exec(text)?.[1]
const enter = 'Enter the code that your device or command line shows.'
const compare = 'Go on only if your device or command line shows this code.'

test('device: a code is to be entered, and one that a link brought is to be compared', async () => {
  const { browser } = await openSignedIn()
  for (const [path, said, code] of [
    ['/device', enter, ''],
    ['/device?user_code=bcdfghjk', compare, 'BCDF-GHJK'],
    ['/device?user_code=AEIOU', enter, ''],
  ] as const) {
    const { text, status } = await browser.get(path)
    expect([path, status, lead(text)]).toEqual([path, 200, said])
    const field = /name="user_code" type="text" value(?:="([^"]*)")?/.exec(text)
    expect(field?.[1] ?? '').toBe(code)
    // Neither a fault nor a problem of the form.
    expect(text).not.toContain('class="fault"')
    expect(text).not.toContain('role="alert"')
  }
})

test('device: 404 for a code that no device shows, which is to be entered again', async () => {
  const { browser } = await openSignedIn()
  const page = await enterCode(browser, 'bcdf ghjk')
  expect([page.status, lead(page.text)]).toEqual([404, enter])
  expect(page.text).toContain('value="BCDF-GHJK"')
  expect(page.text).toContain(
    'Code must be one that a device shows now. Codes end after 10 minutes, and work once.',
  )
  expect(page.text).not.toContain('role="alert"')
})

test('device: 422 repeats what was typed, up to forty characters of it', async () => {
  const { browser } = await openSignedIn()
  const page = await enterCode(browser, `a${'e'.repeat(50)}`)
  expect([page.status, lead(page.text)]).toEqual([422, enter])
  expect(page.text).toContain(`value="a${'e'.repeat(39)}"`)
})

test('device: the page of a request says that it came from the network of the person', async () => {
  const { browser } = await openSignedIn()
  const client = await registerClient(pages.origin)
  const { userCode } = await beginDevice(client, { resource: pages.resources.api })
  const { text, headers } = await enterCode(browser, userCode)
  expect(text).toContain(`<span class="code">${pages.caller.address}</span>, the same as yours`)
  expect(headers.get('content-security-policy')).toContain("form-action 'self';")
})
