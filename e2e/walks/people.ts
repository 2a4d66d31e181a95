// People who sign in with AUTH_URL's forms and a code from their authenticator app.
import { Secret, TOTP } from 'otpauth'
import { until } from '../until.ts'
import { Browser } from './browser.ts'

export type Person = {
  readonly email: string
  readonly password: string
  readonly totp_secret: string
}

const stepSeconds = 30

/**
 * Enters a code. A code works once, so if the current code was used, this enters the next step's
 * code, which already works. If both codes were used, waits for a third.
 */
export async function prove(browser: Browser, { totp_secret }: Person): Promise<void> {
  const totp = new TOTP({ secret: Secret.fromBase32(totp_secret), period: stepSeconds })
  for (let attempt = 0; browser.has('Continue') && /Code/.test(browser.words); attempt++) {
    if (attempt === 3) throw new Error('three codes of the authenticator app were refused')
    if (attempt > 1) {
      const step = totp.counter()
      await until(() => totp.counter() > step)
    }
    const timestamp = (totp.counter() + (attempt === 0 ? 0 : 1)) * stepSeconds * 1000
    await browser.press('Continue', { Code: totp.generate({ timestamp }) })
  }
}

/** Opens a portal or console URL, signing in on the way. */
export async function signIn(address: string, person: Person): Promise<Browser> {
  const browser = new Browser()
  await browser.open(address)
  await browser.press('Continue', { Email: person.email, Password: person.password })
  await prove(browser, person)
  const { url, status } = browser.page
  if (url.origin !== new URL(address).origin || status !== 200) {
    throw new Error(
      `${person.email} is not signed in: ${url.pathname} (${status}) ${browser.words.slice(0, 200)}`,
    )
  }
  return browser
}
