// Tests the retention policy and the list of records due, in a browser without scripts.

import { expect, test } from 'bun:test'
import type { FormValues } from '#auth/testing/browser.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { queuedCase } from '#clinical/testing/call.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()

type Signed = Awaited<ReturnType<typeof pages.signIn>>
async function send({ browser, home }: Signed, values: FormValues) {
  await browser.get(`${home}/retention`)
  return browser.submit(`${home}/retention`, values)
}

test('retention: without a policy nothing is destroyed; a new one applies in thirty days and lists what is due', async () => {
  const records = await pages.signIn({ roles: ['records'] })
  const { patient } = await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  const before = await records.browser.get(`${records.home}/retention`)
  expect(before.text).toContain('records are never destroyed')
  const wrong = await send(records, { years: '5', minor_age: '28' })
  expect([wrong.status, wrong.text.includes('Enter a number from 6 to 100.')]).toEqual([422, true])
  const saved = await send(records, { years: '7', minor_age: '21' })
  expect(saved.text).toContain('Policy saved.')
  const [policy] = await queryAsOwner(
    pages.fixtures,
    sql`select years, minor_age, starts_at > now() + interval '29 days' as waits
          from auth.retention_policies where organization = ${records.organization}`,
  )
  expect(policy).toEqual({ years: 7, minor_age: 21, waits: true })
  await queryAsOwner(
    pages.fixtures,
    sql`update live.patients set updated_at = now() - interval '9 years', date_of_birth = '1970-01-01'
         where id = ${patient}`,
  )
  expect((await records.browser.get(`${records.home}/retention`)).text).not.toContain(patient)
  for (const statement of [
    sql`update live.cases set updated_at = now() - interval '9 years' where patient = ${patient}`,
    sql`alter table live.consents no force row level security`,
    sql`update live.consents set created_at = now() - interval '9 years' where patient = ${patient}`,
  ]) {
    await queryAsOwner(pages.fixtures, statement)
  }
  const { text } = await records.browser.get(`${records.home}/retention`)
  expect(text).toContain(patient)
  expect(text).toContain('Open case')
  await queryAsOwner(
    pages.fixtures,
    sql`insert into live.patients select (jsonb_populate_record(p, jsonb_build_object(
          'id', 'pat_' || lpad(n::text, 26, '0')))).*
          from live.patients p, generate_series(1, 120) n where p.id = ${patient}`,
  )
  const patientsOn = (page: string) => page.match(/(?<=<code>)pat_\w+/g) ?? []
  const first = await records.browser.get(`${records.home}/retention`)
  const [, next = ''] = /href="([^"]+)">Next page/.exec(first.text) ?? []
  const second = await records.browser.get(next.replaceAll('&amp;', '&'))
  const all = [first, second].flatMap(page => patientsOn(page.text))
  expect([all.length, new Set(all).size, all.includes(patient)]).toEqual([121, 121, true])
  expect(second.text).not.toContain('Next page')
  const admin = await pages.signIn({ roles: ['admin'] })
  const shown = await admin.browser.get(`${admin.home}/retention`)
  expect([shown.status, shown.text.includes(patient)]).toEqual([200, false])
  const stale = await send(admin, {
    years: '8',
    minor_age: '21',
    revision: '0',
  })
  expect(stale.status).toBe(409)
})
