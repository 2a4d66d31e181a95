// The steps a person takes on the pages to connect a device.
import { sql } from '#database/sql.ts'
import type { TestBrowser } from './browser.ts'
import type { TestPeople, TestPerson } from './people.ts'

export async function enterCode(browser: TestBrowser, code: string) {
  await browser.get('/device')
  return browser.submit('/device', { user_code: code })
}

export const decideRequest = (browser: TestBrowser, values: Record<string, string>) =>
  browser.submit('/device/request', values)

export const deviceFamilies = async (people: TestPeople, person: TestPerson) => [
  ...(await people.run(sql`
    select integration, scopes, audience, mode from auth.token_families
     where person = ${person.id} and kind = 'device'`)),
]
