// Tests signing with a passkey at the button: its owner, the requesting origin, and single use.
import { expect, test } from 'bun:test'
import { addPasskey, registrationOptions } from '#auth/accounts/passkeys.ts'
import { openAuthenticator } from '#auth/testing/authenticator.ts'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openPool } from '#database/pool.ts'
import { authUrl, useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]

/** A passkey that the person added at AUTH_URL and uses on the console. */
async function passkeyOf(person: string, origin = pages.origin) {
  const pool = openPool({ url: pages.fixtures.database.urls.auth, size: 1, name: 'passkey' })
  const hmac = (text: string) => new Bun.CryptoHasher('sha256', 'a secret').update(text).digest()
  const parts = { pool, origin: authUrl, company: 'Example Health', hmac, randomBytes, now }
  const authenticator = openAuthenticator(authUrl)
  const of = { id: person, email: 'ada@example.com', name: 'Ada' }
  const options = await registrationOptions(parts, { person: of, existing: [], bound: 'x' })
  const answer = authenticator.create(options)
  const given = { person, name: 'A phone', answer, bound: 'x', recoveryCodes: null }
  const act = { surface: 'oauth', request: 'req_passkey', address: null, agent: null } as const
  expect(await addPasskey(parts, given, act)).toBeNull()
  await pool.close()
  authenticator.state.origin = origin
  return authenticator
}

test('a passkey signs once; a colleague’s, one from another origin and a reused one don’t', async () => {
  const as = pages.fixtures.ada.live
  const { id } = await queuedCase(pages.fixtures, as)
  const staff = await pages.signIn({ states, factorSeconds: 15 * 60 + 1 })
  const { browser, home, person } = staff
  const path = `${home}/cases/${id}`
  const colleague = await pages.signIn()
  const options = async () => {
    const answer = await browser.send(`${home}/confirm/passkey.json`)
    return (await answer.json()) as { challenge: string; rpId: string }
  }
  await browser.get(path)
  expect(browser.page.text).not.toContain('name="passkey"')
  const own = await passkeyOf(person)
  const asked = await options()
  expect(asked.rpId).toBe('auth.example.com')
  const wrong = [
    (await passkeyOf(colleague.person)).get(await options()),
    (await passkeyOf(person, 'https://elsewhere.example.com')).get(await options()),
    own.get({ challenge: 'AAAA' }),
    'nothing',
  ]
  await browser.get(path)
  expect(browser.page.text).toContain('name="passkey"')
  for (const passkey of wrong) {
    await browser.submit(`${path}/decline`, { reason: 'Please see someone in person.', passkey })
    expect(browser.page.status).toBe(403)
    expect(browser.page.text).toContain('That passkey didn’t work.')
  }
  const passkey = own.get(asked)
  await browser.submit(`${path}/decline`, { reason: 'Please see someone in person.', passkey })
  expect(browser.page.text).toContain('Case declined.')
  expect((await invokeOk(pages.fixtures, 'getCase', { as, id })).status).toBe('declined')
  expect(pages.failures).toEqual([])
})
