// Tests emergency access, in a browser without scripts.

import { expect, test } from 'bun:test'
import { hiddenFields } from '#auth/testing/browser.ts'
import { queuedCase } from '#clinical/testing/call.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()
type Signed = Awaited<ReturnType<typeof pages.signIn>>

async function send({ browser, home }: Signed, form: string, values: Record<string, string>) {
  const shown = await browser.get(`${home}/emergency-access`)
  const body = new URLSearchParams({ ...hiddenFields(shown.text, `${home}${form}`), ...values })
  const answer = await browser.send(`${home}${form}`, { method: 'POST', body })
  const next = answer.headers.get('location')
  return {
    status: answer.status,
    text: next === null ? await answer.text() : (await browser.get(next)).text,
  }
}

const banner = 'You have emergency access until'
const form = '/emergency-access'

test('emergency access: requires a reason, marks every page with a chart, and is ended by another administrator', async () => {
  const admin = await pages.signIn({ roles: ['admin'] })
  const other = await pages.signIn({ roles: ['admin'] })
  const { id } = await queuedCase(pages.fixtures, pages.fixtures.ada.live)
  const chart = async () => admin.browser.get(`${admin.home}/cases/${id}`)
  expect((await chart()).status).toBe(403)

  const short = await send(admin, form, { reason: '<b>now' })
  expect([short.status, short.text.includes('Enter at least 10 characters.')]).toEqual([422, true])
  expect(short.text).toContain('&lt;b>now')
  expect((await chart()).status).toBe(403)

  const long = await send(admin, form, { reason: 'x'.repeat(501) })
  expect([long.status, long.text.includes('at most 500 characters')]).toEqual([422, true])

  const begun = await send(admin, form, { reason: 'The clinician is in hospital.' })
  expect(begun.text).toContain('You have emergency access')
  const seen = await chart()
  expect([seen.status, seen.text.includes(banner)]).toEqual([200, true])

  const listed = await other.browser.get(`${other.home}/emergency-access`)
  expect(listed.text).toContain('The clinician is in hospital.')
  expect(listed.text).not.toContain(banner)
  const end = /\/emergency-access\/emg_\w+\/end/.exec(listed.text)?.[0] ?? ''
  const ended = await send(other, end, {})
  expect(ended.text).toContain('Emergency access ended.')
  expect((await chart()).status).toBe(403)
  const activity = await other.browser.get(`${other.home}/activity`)
  for (const text of ['Started emergency access', '>Emergency access</span>']) {
    expect([text, activity.text.includes(text)]).toEqual([text, true])
  }
  expect(pages.failures).toEqual([])
})

test('emergency access: administrators see what operators read at their clinic, and at no other', async () => {
  const admin = await pages.signIn({ roles: ['admin'] })
  const elsewhere = pages.fixtures.ada.organization
  for (const [id, organization, reason] of [
    ['opa_here', admin.organization, 'Orders are stuck here.'],
    ['opa_there', elsewhere, 'Orders are stuck there.'],
    ['opa_asked', admin.organization, 'It was only asked for.'],
  ] as const) {
    const [one, two] = [`${id} one`, `${id} two`]
    await queryAsOwner(
      pages.fixtures,
      sql`with made as (insert into auth.persons (id, email, name)
                        select p, replace(p, ' ', '.') || '@example.com', p
                          from unnest(${[one, two]}::text[]) p returning id)
          insert into auth.operators (person) select id from made`,
    )
    await queryAsOwner(
      pages.fixtures,
      sql`insert into auth.operator_accesses
            (id, organization, reason, asked_by, approved_by, approved_at, ends_at, role)
          select ${id}, ${organization}, ${reason}, ${one},
                 case when approved then ${two} end, case when approved then now() end,
                 case when approved then now() + interval '1 hour' end,
                 case when approved then ${id} end::name
            from (select ${id} <> 'opa_asked' as approved) a`,
    )
  }
  const { text } = await admin.browser.get(`${admin.home}/emergency-access`)
  for (const shown of ['Orders are stuck here.', 'approved by opa_here two', '>Active</span>']) {
    expect([shown, text.includes(shown)]).toEqual([shown, true])
  }
  for (const hidden of ['Orders are stuck there.', 'It was only asked for.']) {
    expect([hidden, text.includes(hidden)]).toEqual([hidden, false])
  }
})
