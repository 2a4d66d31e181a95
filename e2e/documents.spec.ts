// A document of live mode: uploaded by an integration, scanned, read page by page by the records
// role of the clinic with the keyboard, and removed in two steps.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import pdfkit from 'pdfkit'
import { blockedOn, judge } from './keyboard.ts'
import { dataDir } from './servers.ts'

type Access = {
  url: string
  console_url: string
  live_key: string
  live_organization: string
  staff: { records: { email: string; password: string; totp_secret: string } }
}

const access = () => JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8')) as Access

async function pdf(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const document = new pdfkit({ autoFirstPage: false })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise(resolve => document.on('end', resolve))
  for (let page = 1; page <= pages; page++) document.addPage().text(`An invented page ${page}`)
  document.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

type Answer = {
  id?: string
  data?: { patient: string }[]
  upload_url?: string
  upload_headers?: Record<string, string>
}

/** An answer of the API to the live key. */
async function call(method: string, place: string, body?: object) {
  const { url, live_key } = access()
  const answer = await fetch(url + place, {
    method,
    headers: {
      authorization: `Bearer ${live_key}`,
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Answer }
}

/** The id of a document of an invented patient. */
async function uploaded(): Promise<string> {
  const { body: found } = await call('GET', '/v1/cases?limit=1')
  const patient = found.data?.[0]?.patient ?? ''
  const { body: to } = await call('POST', '/v1/files', { patient, mime: 'application/pdf' })
  const sent = { method: 'PUT', headers: to.upload_headers ?? {}, body: await pdf(2) }
  expect((await fetch(to.upload_url ?? '', sent)).status).toBe(200)
  const body = { patient, kind: 'lab_result', filename: 'result.pdf' }
  return (await call('POST', `/v1/files/${to.id}/confirm`, body)).body.id ?? ''
}

const phone = { width: 390, height: 844 }
const wide = { width: 1280, height: 900 }
/** In tables; the navigation and the buttons are higher. */
const linkHeightMin = 23.5

async function signIn(page: Page): Promise<void> {
  const { console_url, staff } = access()
  await page.goto(console_url)
  await page.getByLabel('Email').fill(staff.records.email)
  await page.getByLabel('Password', { exact: true }).fill(staff.records.password)
  await page.keyboard.press('Enter')
  const code = new TOTP({ secret: Secret.fromBase32(staff.records.totp_secret) }).generate()
  await page.getByLabel('Code').fill(code)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${console_url}/**`)
}

async function press(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  await page.getByRole(role, { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

test('the records role reads a document page by page, and removes it', async ({ browser }) => {
  test.slow()
  const id = await uploaded()
  const settings = { viewport: phone, colorScheme: 'dark', reducedMotion: 'reduce' } as const
  const page = await (await browser.newContext(settings)).newPage()
  const blocked = blockedOn(page)
  await signIn(page)
  const { console_url, live_organization } = access()
  const place = `${console_url}/${live_organization}/files/${id}`
  await expect(async () => {
    await page.goto(place)
    await expect(page.getByRole('img', { name: 'Page 1 of 2' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  const isLoaded = () =>
    page
      .getByRole('img', { name: /^Page/ })
      .evaluate(one => one instanceof HTMLImageElement && one.complete && one.naturalWidth > 1000)
  await expect.poll(isLoaded).toBe(true)
  await judge(page, blocked, linkHeightMin)
  await press(page, 'link', 'Next page')
  await expect(page.getByRole('img', { name: 'Page 2 of 2' })).toBeVisible()
  await expect.poll(isLoaded).toBe(true)
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light' })
  await judge(page, blocked, linkHeightMin)

  await page.getByText('Remove', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Reason').fill('It shows another person.')
  await press(page, 'button', 'Ask for the removal')
  await expect(page.getByRole('status')).toContainText('The removal is asked for.')
  await judge(page, blocked, linkHeightMin)
  expect((await call('GET', `/v1/files/${id}`)).status).toBe(200)
  await press(page, 'button', 'Remove the document')
  await expect(page.getByRole('status')).toContainText('The document is removed.')
  await judge(page, blocked, linkHeightMin)
  expect((await call('GET', `/v1/files/${id}`)).status).toBe(404)
  await page.context().close()
})
