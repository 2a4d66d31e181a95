// Going from AUTH_URL to the console, where an installation has one.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inviteStaff } from '../clinics/staff.ts'
import { openBrowser } from '../testing/browser.ts'
import { actFor, openClinic } from '../testing/clinic.ts'
import { linkTo } from '../testing/emails.ts'
import {
  openPeople,
  openTestPages,
  portalUrl,
  type TestPages,
  type TestPeople,
} from '../testing/people.ts'
import { enterPassword, signIn } from '../testing/sign-in.ts'

const consoleUrl = 'https://console.example.com'
let people: TestPeople
let pages: TestPages
beforeAll(async () => {
  people = await openPeople()
  pages = await openTestPages(people, { portal: portalUrl, console: consoleUrl })
})
afterAll(async () => {
  await pages.close()
  await people.close()
})

const browserOf = (length: number) => Buffer.alloc(length).toString('base64url')
const pathTo = (to: string, length = 32) =>
  `/handoff?${new URLSearchParams({ to, browser: browserOf(length) })}`

test('handoff: each origin gets the codes that are for it, and no other one gets any', async () => {
  const browser = openBrowser(pages.origin)
  await signIn(browser, people, await people.addPerson())
  for (const [to, url] of [
    ['console', consoleUrl],
    ['portal', portalUrl],
  ] as const) {
    const answer = await browser.send(pathTo(to))
    const location = new URL(answer.headers.get('location') ?? '')
    expect([answer.status, location.origin, location.pathname]).toEqual([303, url, '/signed-in'])
    expect(location.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
  }
  for (const to of ['auth', 'other', '']) expect((await browser.get(pathTo(to))).status).toBe(400)
})

test('handoff: 400 leads back to the origin that asked, whose link was cut', async () => {
  const browser = openBrowser(pages.origin)
  for (const length of [0, 31, 33]) {
    for (const [to, url] of [
      ['console', consoleUrl],
      ['portal', portalUrl],
    ] as const) {
      const { status, text } = await browser.get(pathTo(to, length))
      expect([to, length, status]).toEqual([to, length, 400])
      expect(text).toContain(`Open the ${to} again, and sign in from there.`)
      expect(text).toContain(`<a class="button" href="${url}">Open the ${to}</a>`)
    }
  }
})

test('handoff: the forms before it may lead to each origin, and those before others to none', async () => {
  const person = await people.addPerson()
  const policyOf = ({ headers }: { headers: Headers }) =>
    /form-action ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1]
  const browser = openBrowser(pages.origin)
  const both = `'self' ${portalUrl} ${consoleUrl}`
  const next = encodeURIComponent(pathTo('console'))
  expect(policyOf(await browser.get(`/sign-in?next=${next}`))).toBe(both)
  expect(policyOf(await browser.get('/sign-in?next=%2Faccount'))).toBe("'self'")
  expect(policyOf(await enterPassword(browser, person, pathTo('console')))).toBe(both)
  expect(policyOf(await browser.get('/sign-in/code'))).toBe("'self'")
})

test('an invitation to a clinic leads to the console', async () => {
  const person = await people.addPerson()
  const browser = openBrowser(pages.origin)
  await signIn(browser, people, person)
  const asked = { email: person.email, roles: ['admin'] as const }
  const clinic = await openClinic(people)
  await people.pool.use(connection => inviteStaff(connection, asked, actFor(clinic, null)))
  await browser.get(await linkTo(people, person.email, 'invitation'))
  const joined = await browser.post('/invitations/accept')
  expect([joined.status, joined.headers.get('location')]).toEqual([303, consoleUrl])
})
