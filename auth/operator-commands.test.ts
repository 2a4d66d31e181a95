// Tests rotating keys and setting their expiry on the command line.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { findKeyMode, grant, openOrganization } from './integrations.ts'
import { acceptAgreement } from './testing/administration.ts'
import { useOperator } from './testing/operator.ts'

const { owner, run, integration, keys } = await useOperator()
const says = (command: typeof keys, ...args: string[]) =>
  command(args).catch((fault: Error) => fault.message)

describe('keys rotate', () => {
  const mint = async () => {
    await keys(['create', '--name', 'Rotated'])
    const [row] = await run(sql`select id from auth.credentials where name = 'Rotated'`)
    return String(row?.['id'])
  }

  test.each([
    ['now', 0, 'no longer works.'],
    ['1h', 3600, 'works for 1h more.'],
    ['24h', 86_400, 'works for 24h more.'],
    ['7d', 604_800, 'works for 7d more.'],
    [undefined, 86_400, 'works for 24h more.'],
  ])('with overlap %s keeps the key working for %i seconds', async (overlap, seconds, text) => {
    const id = await mint()
    const flags = overlap === undefined ? [] : ['--overlap', overlap]
    const output = await keys(['rotate', id, ...flags])
    expect(output).toEndWith(`only this once. ${id} ${text}`)
    const [row] = await run(sql`
      select round(extract(epoch from k.expires_at - n.created_at))::int as seconds, n.last4
        from auth.credentials k join auth.credentials n on n.id = k.replaced_by where k.id = ${id}`)
    expect(row).toEqual({ seconds, last4: output.split('\n')[0]?.slice(-4) })
  })

  test('rotating a revoked or unknown key is refused', async () => {
    const id = await mint()
    await keys(['revoke', id])
    for (const one of [id, 'key_none']) {
      expect(await says(keys, 'rotate', one)).toBe(
        `No active key has the ID ${one}. See: npm run admin -- keys list`,
      )
    }
  })

  test('rotating a live key creates a live key', async () => {
    await mint()
    await owner.use(one => acceptAgreement(one, integration, '2026-09-01'))
    const organization = await owner.use(one => openOrganization(one, 'Clinic', 'a-clinic'))
    await owner.use(one => grant(one, { integration, organization, mode: 'live' }))
    await keys(['create', '--name', 'Live', '--mode', 'live'])
    const [row] = await run(sql`select id from auth.credentials where name = 'Live'`)
    const id = String(row?.['id'])
    expect(await owner.use(one => findKeyMode(one, id))).toBe('live')
    expect(await keys(['rotate', id])).toStartWith('svc_sk_live_')
    await run(sql`delete from auth.agreements`)
  })
})

test('keys create accepts only a future expiry', async () => {
  const mint = (expires: string) => says(keys, 'create', '--name', 'x', '--expires', expires)
  for (const past of ['2026-11-20', '2026-11-20T00:00:00Z', '2020-01-01']) {
    expect(await mint(past)).toBe(`--expires must be in the future, not ${past}.`)
  }
  expect(await mint('2027-13-01')).toBe(
    '--expires must be a date, such as 2030-01-01, not "2027-13-01".',
  )
  await mint('2999-01-01T12:00:00+02:00')
  const [row] = await run(sql`select iso(expires_at) as at from auth.credentials`)
  expect(row).toEqual({ at: '2999-01-01T10:00:00.000Z' })
})

test('keys create accepts an expiry that falls on another day in UTC', async () => {
  await says(keys, 'create', '--name', 'x', '--expires', '2999-01-01T00:30:00+02:00')
  const [row] = await run(sql`select iso(expires_at) as at from auth.credentials`)
  expect(row).toEqual({ at: '2998-12-31T22:30:00.000Z' })
})
