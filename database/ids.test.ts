// IDs that database functions create outside a tenant's clock.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { testDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
let sql: SQL
beforeAll(async () => {
  database = await testDatabase()
  sql = new SQL(database.url, { max: 1 })
})
afterAll(async () => {
  await sql.close()
  await database.close()
})

const made = async (many: number): Promise<string[]> => {
  const rows = await sql`select new_id('evt') as id from generate_series(1, ${many})`
  return rows.map((row: { id: string }) => row.id)
}

test('new_id: IDs in a session strictly increase, even within a millisecond', async () => {
  const ids = [...(await made(5000)), ...(await made(5000)), ...(await made(1))]
  expect(new Set(ids).size).toBe(10_001)
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/)
  const milliseconds = new Set(ids.map(id => id.slice(0, 14)))
  expect(milliseconds.size).toBeLessThan(ids.length)
})

test('new_id: increments the last ID if the clock moved back, with a carry if needed', async () => {
  const next = async (last: string) => {
    await sql`select set_config('app.last_id', ${last}, false)`
    return (await made(1))[0]
  }
  expect(await next(`7zzzzzzzzz${'0'.repeat(16)}`)).toBe(`evt_7zzzzzzzzz${'0'.repeat(15)}1`)
  expect(await next(`7zzzzzzzzz${'0'.repeat(14)}9z`)).toBe(`evt_7zzzzzzzzz${'0'.repeat(14)}a0`)
  expect(await next(`7zzzzzzzzy${'z'.repeat(16)}`)).toBe(`evt_7zzzzzzzzz${'0'.repeat(16)}`)
})

test('near_ulid: equals ulid in every millisecond of its half minute, and outside it', async () => {
  const half = '0123456789abcdef'
  const begins = 53_000_000 * 32 ** 3
  const moment = sql`to_timestamp((${begins}::bigint + ms) / 1000.0)`
  const [{ head }] = await sql`
    select left(ulid('evt', to_timestamp(${begins}::bigint / 1000.0), ''), 11) as head`
  const rows: { near: string; whole: string }[] = await sql`
    select near_ulid(${head}, ms, ${half}, 'evt', ${moment}) as near,
           ulid('evt', ${moment}, ${half}) as whole
      from generate_series(-2000::bigint, 35000) ms`
  for (const { near, whole } of rows) expect(near).toBe(whole)
  expect(new Set(rows.map(row => row.near)).size).toBe(37_001)
})

test('new_id: no other function or default creates an ID from real time', async () => {
  const texts: { place: string; text: string }[] = await sql`
    select oid::regprocedure::text as place, pg_get_functiondef(oid) as text from pg_proc
     where prokind = 'f' and pronamespace::regnamespace::text !~ '^(pg_|information_schema)'
    union all
    select adrelid::regclass::text, pg_get_expr(adbin, adrelid) from pg_attrdef`
  expect(texts.length).toBeGreaterThan(200)
  const inRealTime = texts.filter(({ text }) =>
    /\bulid\([^,]*, *(clock_timestamp|now)\(\)/i.test(text),
  )
  expect(inRealTime.map(({ place }) => place)).toEqual(['new_id(text)'])
})
