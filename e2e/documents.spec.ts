// Live-mode documents: an integration uploads them, a scanner checks and may reject them, and the
// clinic's records role reads them page by page by keyboard, removes them in two steps, and sees
// who viewed them.
import { text } from 'node:stream/consumers'
import { expect, type Page, test } from '@playwright/test'
import pdfkit from 'pdfkit'
import { call, consolePage } from './clinic.ts'
import { judgeEveryPage, linkHeightMin, phone, wide } from './console-pages.ts'
import { blockedOn, judge } from './keyboard.ts'
import { openSignedIn } from './staff.ts'

async function pdf(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const document = new pdfkit({ autoFirstPage: false })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise(resolve => document.on('end', resolve))
  for (let page = 1; page <= pages; page++) document.addPage().text(`Sample page ${page}`)
  document.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

type Reserved = { id: string; upload_url: string; upload_headers: Record<string, string> }
type Document = { readonly id: string; readonly patient: string }

/** A synthetic patient's document with these bytes. */
async function uploaded(bytes: Uint8Array<ArrayBuffer>): Promise<Document> {
  const { body: found } = await call<{ data: { patient: string }[] }>('GET', '/v1/cases?limit=1')
  const patient = found.data[0]?.patient ?? ''
  const asked = { patient, mime: 'application/pdf' }
  const { body: to } = await call<Reserved>('POST', '/v1/files', asked)
  const sent = { method: 'PUT', headers: to.upload_headers, body: bytes }
  expect((await fetch(to.upload_url, sent)).status).toBe(200)
  const body = { patient, kind: 'lab_result', filename: 'result.pdf' }
  const { body: file } = await call<{ id: string }>('POST', `/v1/files/${to.id}/confirm`, body)
  return { id: file.id, patient }
}

/** Starts and ends like a PDF, but can't be read. */
const damaged = () => new TextEncoder().encode('%PDF-1.7\nnot a page\n%%EOF\n')

async function press(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  await page.getByRole(role, { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

test('the records role reads a document, removes it, and sees who saw its patient', async ({
  browser,
}) => {
  test.slow()
  const refused = await uploaded(damaged())
  const { id, patient } = await uploaded(await pdf(2))
  const settings = { viewport: phone, colorScheme: 'dark', reducedMotion: 'reduce' } as const
  const page = await openSignedIn(await browser.newContext(settings), 'records')
  const blocked = blockedOn(page)
  const place = consolePage(`/files/${id}`)
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

  await page.route('**/pages/2', route => route.fulfill({ body: 'no image' }))
  await page.reload()
  await expect(page.getByText('We couldn’t show this page. Reload to try again')).toBeVisible()
  await page.unroute('**/pages/2')
  await page.reload()
  await expect.poll(isLoaded).toBe(true)

  await page.getByText('Remove', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Reason').fill('It shows another person.')
  await press(page, 'button', 'Request removal')
  await expect(page.getByRole('status')).toContainText('Removal requested.')
  await judge(page, blocked, linkHeightMin)
  expect((await call('GET', `/v1/files/${id}`)).status).toBe(200)
  await press(page, 'button', 'Remove document')
  await expect(page.getByRole('status')).toContainText('Document removed.')
  await judge(page, blocked, linkHeightMin)
  expect((await call('GET', `/v1/files/${id}`)).status).toBe(404)

  await test.step('an unreadable document is shown to no one, and the page says why', async () => {
    const isRefused = page.getByText('We can’t show this document. The file is damaged.')
    await expect(async () => {
      await page.goto(consolePage(`/files/${refused.id}`))
      await expect(isRefused).toBeVisible({ timeout: 1000 })
    }).toPass()
    await expect(page.getByRole('img', { name: /^Page/ })).toHaveCount(0)
    await judge(page, blocked, linkHeightMin)
  })

  await test.step('the patient’s access log is one page, and a file', async () => {
    await page.goto(consolePage(`/activity?patient=${patient}`))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Staff activity for a patient')
    await expect(page.getByRole('row').filter({ hasText: id }).first()).toContainText('Robin')
    await judge(page, blocked, linkHeightMin)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      press(page, 'link', 'Download CSV'),
    ])
    const lines = (await text(await file.createReadStream())).split('\r\n')
    expect(lines.filter(line => line.includes(id) && line.includes('viewFile'))).not.toEqual([])
    expect(lines.filter(line => line.includes('confirmRemoval'))).not.toEqual([])
  })
  await test.step('the records role can use every page', () =>
    judgeEveryPage(page, ['/patients/id/record', '/patients/id/access', '/exports', '/retention']))
  await page.context().close()
})
