// Visits that start soon, and the participants' browsers.
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import { browserFlags, findBrowser } from './browser.ts'
import { blockedOn, judge } from './keyboard.ts'
import { admin, server } from './servers.ts'

const phone = { width: 390, height: 844 }
export const call = async (method: string, target: string, body?: object) => {
  const { url, liveKey } = server()
  const answer = await fetch(url + target, {
    method,
    headers: {
      authorization: `Bearer ${liveKey}`,
      'content-type': 'application/json',
      ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  expect(answer.status, text).toBeLessThan(300)
  return JSON.parse(text)
}

/** Changes an open visit; `change` is SQL. */
export async function setVisit(visit: string, change: string): Promise<void> {
  const open = `id = '${visit}' and status in ('scheduled', 'started')`
  await admin('sql', `update live.visits set ${change} where ${open}`)
}

/** Sets a visit's times relative to now, as SQL. */
export const setTimes = (visit: string, start: string, end: string): Promise<void> =>
  setVisit(visit, `starts_at = now() + ${start}, ends_at = now() + ${end}`)

/** A visit with this machine's clinician, starting in two minutes. */
export async function bookVisit(first_name: string): Promise<string> {
  const { id: patient } = await call('POST', '/v1/patients', {
    first_name,
    last_name: 'Invented',
    date_of_birth: '1990-04-02',
    sex_at_birth: 'female',
    email: `visit-${crypto.randomUUID().slice(0, 8)}@example.com`,
    phone: '+15555550142',
    address: { line1: '1 Main St', city: 'Austin', state: 'TX', postal_code: '78701' },
  })
  const { data } = await call('GET', '/v1/visits/slots?state=TX&limit=1')
  const { id } = await call('POST', '/v1/visits', { patient, starts_at: data[0].starts_at })
  await setTimes(id, "interval '2 minutes'", "interval '32 minutes'")
  return id
}

/**
 * A browser whose camera and microphone play a test pattern and a sound. Five pictures a second are
 * enough to see them move, and cost a quarter of the usual twenty to encode.
 */
export async function openMediaBrowser(cameras = 1): Promise<Browser> {
  const devices = `--use-fake-device-for-media-stream=device-count=${cameras},fps=5`
  const args = [...browserFlags, devices, '--use-fake-ui-for-media-stream']
  return chromium.launch({ executablePath: await findBrowser(), args })
}

export async function openContext(browser: Browser, viewport = phone) {
  const context = await browser.newContext({
    viewport,
    colorScheme: viewport === phone ? 'dark' : 'light',
    permissions: ['camera', 'microphone'],
  })
  return context
}

/** A room's page, or the frame that shows it. */
export type Room = Pick<Page, 'getByRole' | 'locator'>

export const status = (room: Room) => room.locator('#room-status')
export const turnOn = (room: Room) => room.getByRole('button', { name: 'Turn on camera' }).click()

/** Signs in as a patient who first mistypes the year. */
export async function enter(page: Page, url: string): Promise<void> {
  const blocked = blockedOn(page)
  await page.goto(url)
  await judge(page, blocked)
  for (const year of ['1991', '1990']) {
    await page.getByLabel('Month').fill('4')
    await page.getByLabel('Day').fill('2')
    await page.getByLabel('Year').fill(year)
    await page.getByRole('button', { name: 'Continue' }).click()
    if (year === '1991') await expect(page.getByRole('alert')).toContainText('2 more tries')
  }
}
