// Tests the document pages and record export, using only the pages.
import { afterEach, expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invoke, invokeOk, queuedCase } from '#clinical/testing/call.ts'
import {
  confirmation,
  impatientViewer,
  photo,
  reserveFile,
  scanAll,
  uploadFile,
} from '#clinical/testing/files.ts'
import { heic, pdfOf, slowPdf } from '#clinical/viewer/testing/documents.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()
afterEach(() => expect(pages.failures).toEqual([]))

const confirmed = () => uploaded('image/png', photo)

async function uploaded(mime: string, content: Buffer) {
  const as = pages.fixtures.ada.live
  const found = await reserveFile(pages.fixtures, { as, mime })
  await uploadFile(pages.fixtures, found, new Uint8Array(content))
  const body = confirmation(found.patient, { filename: 'lab <result>.png' })
  const { id } = await invokeOk(pages.fixtures, 'confirmFile', { as, id: found.id, body })
  return { id: id as string, patient: found.patient }
}

test('a nurse reads a scanned document page by page, only as images', async () => {
  const { id, patient } = await uploaded('application/pdf', await pdfOf(2))
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const place = `${home}/files/${id}`
  expect((await browser.get(place)).text).toContain('Scanning this document')
  expect((await browser.send(`${place}/pages/1`)).status).toBe(409)
  await scanAll(pages.fixtures)
  expect((await browser.get(`${home}/patients/${patient}`)).text).toContain(`href="${place}"`)
  const first = await browser.get(place)
  expect(first.text).toContain('lab &lt;result>.png')
  expect(first.text).toContain(`<img src="${place}/pages/1" alt="Page 1 of 2`)
  expect(first.text).toContain(`rel="next" href="${place}?page=2"`)
  expect(first.text).not.toContain('rel="prev"')
  const last = await browser.get(`${place}?page=2`)
  expect(last.text).toContain(`rel="prev" href="${place}?page=1"`)
  expect(last.text).not.toContain('rel="next"')
  for (const [page, shown] of [
    ['9', '2 of 2'],
    ['-1', '1 of 2'],
    ['1.5', '1 of 2'],
    ['x', '1 of 2'],
  ]) {
    expect((await browser.get(`${place}?page=${page}`)).text).toContain(`Page ${shown}`)
  }
  expect(last.text).not.toContain('/removal')
})

test('only a document that takes too long to show is downloaded as it was uploaded', async () => {
  const content = slowPdf()
  const slow = await uploaded('application/pdf', content)
  await scanAll(pages.fixtures, impatientViewer())
  const shown = await confirmed()
  await scanAll(pages.fixtures)
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const place = `${home}/files/${slow.id}`
  expect((await browser.get(place)).text).toContain(`href="${place}/original"`)
  expect((await browser.send(`${place}/pages/1`)).status).toBe(409)
  const original = await browser.send(`${place}/original`)
  const { headers } = original
  expect(headers.get('content-disposition')).toBe(`attachment; filename="${slow.id}.pdf"`)
  expect(headers.get('content-type')).toBe('application/octet-stream')
  expect(Buffer.from(await original.bytes()).equals(content)).toBeTrue()
  const [row] = await queryAsOwner<{ outcome: string }>(
    pages.fixtures,
    sql`select outcome from audit.entries where action = 'downloadFile' and target = ${slow.id}`,
  )
  expect(row?.outcome).toBe('ok')
  expect((await browser.send(`${home}/files/${shown.id}/original`)).status).toBe(409)
  const pharmacist = await pages.signIn({ roles: ['pharmacy'] })
  expect((await pharmacist.browser.send(`${place}/original`)).status).toBe(403)
})

test('a case says which of its documents no one can see', async () => {
  const as = pages.fixtures.ada.live
  const held = await queuedCase(pages.fixtures, as, { hold: true })
  const found = await reserveFile(pages.fixtures, { as, case: held.id, mime: 'image/heic' })
  await uploadFile(pages.fixtures, found, new Uint8Array(heic.subarray(0, 500)))
  const body = confirmation(found.patient)
  await invokeOk(pages.fixtures, 'confirmFile', { as, id: found.id, body })
  const { browser, home } = await pages.signIn({ roles: ['nurse'] })
  const place = `${home}/cases/${held.id}`
  expect((await browser.get(place)).text).toContain('Scanning')
  await scanAll(pages.fixtures)
  expect((await browser.get(place)).text).toContain('Not shown')
})

test('a page’s image is WebP, isn’t cached, and can’t run anything', async () => {
  const { id } = await confirmed()
  await scanAll(pages.fixtures)
  const { browser, home } = await pages.signIn({ roles: ['clinician'] })
  const answer = await browser.send(`${home}/files/${id}/pages/1`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect((await sharp(await answer.bytes()).metadata()).format).toBe('webp')
  for (const page of ['2', '0', '01', 'x', '-1', '99999']) {
    const missing = await browser.send(`${home}/files/${id}/pages/${page}`)
    expect([page, missing.status]).toEqual([page, 404])
    expect(missing.headers.get('content-type')).toStartWith('text/html')
  }
})

test('the records role requests a removal, cancels it, requests it again and confirms', async () => {
  const as = pages.fixtures.ada.live
  const { id, patient } = await confirmed()
  await scanAll(pages.fixtures)
  const { browser, home } = await pages.signIn({ roles: ['records'] })
  const place = `${home}/files/${id}`
  await browser.get(place)
  expect((await browser.submit(`${place}/removal`)).status).toBe(400)
  const reason = 'It shows <another> person.'
  const asked = await browser.submit(`${place}/removal`, { reason })
  expect([asked.status, asked.url]).toEqual([200, `${place}?done=asked`])
  expect(asked.text).toContain('It shows &lt;another> person.')
  expect((await browser.submit(`${place}/removal/cancel`)).text).toContain('Document kept.')
  await browser.submit(`${place}/removal`, { reason })
  const stale = await browser.submit(`${place}/removal/confirm`, {
    version: '2026-01-01T00:00:00.000Z',
  })
  expect([stale.status, stale.text.includes('Someone changed this')]).toEqual([409, true])
  const removed = await browser.submit(`${place}/removal/confirm`)
  expect(removed.text).toContain('Document removed.')
  expect(removed.text).not.toContain('lab &lt;')
  expect(removed.text).not.toContain('<img')
  expect((await browser.send(`${place}/pages/1`)).status).toBe(409)
  expect((await invoke(pages.fixtures, 'getFile', { as, id })).status).toBe(404)
  const record = await browser.get(`${home}/patients/${patient}`)
  expect(record.text).toContain('Removed file')
})

test('the records role exports a record as one file, which is logged as a disclosure', async () => {
  const { id, patient } = await confirmed()
  await scanAll(pages.fixtures)
  const { browser, home, person } = await pages.signIn({ roles: ['records'] })
  const { text } = await browser.get(`${home}/patients/${patient}`)
  const place = `${home}/patients/${patient}/export`
  const token = /name="form" value="([^"]+)"/.exec(text.slice(text.indexOf(`action="${place}"`)))
  const send = (fields: Record<string, string>) =>
    browser.send(place, {
      method: 'POST',
      body: new URLSearchParams({ form: token?.[1] ?? '', once: crypto.randomUUID(), ...fields }),
    })
  expect((await send({ recipient: '', purpose: 'They asked for it.' })).status).toBe(400)
  const answer = await send({ recipient: 'The patient', purpose: 'They asked for it.' })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="record-${patient}.zip"`,
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const names = Object.keys(unzipSync(await answer.bytes()))
  expect(names).toEqual(['record.json', 'record.html', 'record.fhir.json', `documents/${id}.png`])
  const entries = await queryAsOwner(
    pages.fixtures,
    sql`select recipient, purpose, person from records.disclosures where patient = ${patient}`,
  )
  expect(entries).toEqual([{ recipient: 'The patient', purpose: 'They asked for it.', person }])
  const nurse = await pages.signIn({ roles: ['nurse'] })
  const shown = await nurse.browser.get(`${home}/patients/${patient}`)
  expect(shown.text).not.toContain(place)
})
