// Tests connecting a pharmacy, in a browser without scripts.

import { beforeAll, expect, test } from 'bun:test'
import { hiddenFields } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()
let admin: Awaited<ReturnType<typeof pages.signIn>>
beforeAll(async () => {
  admin = await pages.signIn({ roles: ['admin'] })
})

async function send(form: string, values: Record<string, string> = {}) {
  const { browser, home } = admin
  const shown = await browser.get(`${home}/pharmacy`)
  const fields = { ...hiddenFields(shown.text, `${home}${form}`), ...values }
  const body = new URLSearchParams(fields)
  const answer = await browser.send(`${home}${form}`, { method: 'POST', body })
  return { status: answer.status, text: await answer.text() }
}
const stored = () =>
  queryAsOwner<{ id: string; url: string; secret: string; is_ended: boolean }>(
    pages.fixtures,
    sql`select id, url, secret, ended_at is not null as is_ended from pharmacy.connections
         where organization = ${pages.fixtures.clinic} order by id`,
  )
const secretIn = (text: string) => /whsec_[0-9A-Za-z]{32}/.exec(text)?.[0]

test('an address must be public, with https', async () => {
  for (const url of ['http://pharmacy.example.com/', 'https://127.0.0.1/', 'nothing']) {
    const { status, text } = await send('/pharmacy', { name: 'Example Pharmacy', url })
    expect([url, status]).toEqual([url, 422])
    expect(text).toContain('Prescription URL must')
  }
  expect(await stored()).toEqual([])
})

test('a pharmacy is connected, its secret shown once and replaced, and disconnected', async () => {
  const url = 'https://pharmacy.example.com/prescriptions'
  const connected = await send('/pharmacy', { name: 'Example Pharmacy', url })
  const secret = secretIn(connected.text)
  const [row] = await stored()
  expect([connected.status, row?.url]).toEqual([200, url])
  expect(secret).toBeString()
  expect(row?.secret).not.toContain(secret ?? '')
  const page = await admin.browser.get(`${admin.home}/pharmacy`)
  expect(page.text).toContain(`/pharmacies/${row?.id}/updates`)
  expect(secretIn(page.text)).toBeUndefined()
  const rotated = await send(`/pharmacy/${row?.id}/rotate`)
  expect(secretIn(rotated.text)).not.toBe(secret)
  expect(rotated.text).toContain('Old secret works until')
  const asked = await admin.browser.get(`${admin.home}/pharmacy`)
  expect(asked.text).toMatch(/<details class="confirm"[^>]*><summary[^>]*>Disconnect</)
  const disconnected = await admin.browser.submit(`${admin.home}/pharmacy/${row?.id}/disconnect`)
  expect(disconnected.text).toContain('Pharmacy disconnected.')
  expect((await stored()).map(({ is_ended }) => is_ended)).toEqual([true])
  const acts = await queryAsOwner<{ action: string; person: string }>(
    pages.fixtures,
    sql`select action, person from audit.entries where target = ${row?.id ?? ''} order by at`,
  )
  expect(acts).toEqual(
    ['connectPharmacy', 'rotatePharmacySecret', 'disconnectPharmacy'].map(action => ({
      action,
      person: admin.person,
    })),
  )
  expect(pages.failures).toEqual([])
})

test('a secret replaced twice by one form, as by a reload, is replaced once', async () => {
  const { browser, home } = admin
  const url = 'https://pharmacy.example.com/prescriptions'
  await send('/pharmacy', { name: 'Example Pharmacy', url })
  const row = (await stored()).find(({ is_ended }) => !is_ended)
  const path = `${home}/pharmacy/${row?.id}/rotate`
  const shown = await browser.get(`${home}/pharmacy`)
  const body = new URLSearchParams(hiddenFields(shown.text, path))
  const [first, second] = [
    await browser.send(path, { method: 'POST', body }),
    await browser.send(path, { method: 'POST', body }),
  ]
  expect([first.status, second.status]).toEqual([200, 409])
  expect(secretIn(await first.text())).toBeString()
  const text = await second.text()
  expect(secretIn(text)).toBeUndefined()
  expect(text).toMatch(/role="alert"[^>]*>This form was already sent/)
})
