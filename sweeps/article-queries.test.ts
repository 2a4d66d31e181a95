// Runs an article's SQL on the bundled PostgreSQL.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import { SQL } from 'bun'
import { testDatabase } from '#database/testing/database.ts'

describe('measuring-time-to-decision', async () => {
  const file = path.join(import.meta.dir, '../content/articles/measuring-time-to-decision.md')
  const shown = [...(await Bun.file(file).text()).matchAll(/```sql\n([\s\S]*?)```/g)]
  const [view = '', weeks = '', days = ''] = shown.map(([, text]) => text)
  let database: Awaited<ReturnType<typeof testDatabase>>
  let client: SQL

  /** Cases filed on November 2, 2026: each case's events, with the hours since filing. */
  const cases: Readonly<Record<string, readonly [status: string, hours: number][]>> = {
    quick: [['approved', 1]],
    slow: [['declined', 30]],
    'withdrawn early': [['withdrawn', 2]],
    'withdrawn late': [['withdrawn', 30]],
    open: [['in_review', 3]],
  }

  beforeAll(async () => {
    database = await testDatabase()
    client = new SQL(database.url, { max: 1 })
    await client.unsafe('create schema article')
    await client.unsafe('set search_path = article')
    await client.unsafe(
      'create table case_events (case_id text, status text, created_at timestamptz)',
    )
    for (const [id, moves] of Object.entries(cases)) {
      for (const [status, hours] of [['queued', 0] as const, ...moves]) {
        await client`insert into case_events values (${id}, ${status},
          timestamptz '2026-11-02 09:00Z' + ${hours}::int * interval '1 hour')`
      }
    }
    await client.unsafe(view)
  })
  afterAll(async () => {
    await client.close()
    await database.close()
  })

  const asText = async (query: string, columns: readonly string[]) => {
    const list = columns.map(name => `${name}::text as ${name}`).join(', ')
    const [row] = await client.unsafe(`select ${list} from (${query.trim().replace(/;$/, '')}) q`)
    return row
  }

  test('the week counts undecided cases, and its median covers all filed cases', async () => {
    const row = await asText(
      weeks,
      'filed decided stopped open half_of_filed nine_in_ten_of_filed half_of_decided'.split(' '),
    )
    expect(row).toEqual({
      filed: '5',
      decided: '2',
      stopped: '2',
      open: '1',
      half_of_filed: 'infinity',
      nine_in_ten_of_filed: 'infinity',
      half_of_decided: '01:00:00',
    })
  })

  test('the day counts a case that stopped later as not decided in time', async () => {
    // One case was decided in time, of four decided within 24 hours or still open after that.
    const row = await asText(
      days,
      'filed decided_in_24_hours stopped_in_24_hours percent_in_24_hours'.split(' '),
    )
    expect(row).toEqual({
      filed: '5',
      decided_in_24_hours: '1',
      stopped_in_24_hours: '1',
      percent_in_24_hours: '25',
    })
  })
})
