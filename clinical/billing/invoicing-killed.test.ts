// Kills the invoicing job before and after each row it writes. The tables it writes to come from
// PostgreSQL's statistics.

import { expect, test } from 'bun:test'
import { type Statement, sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { chargeAt, invoicesOf, makeInvoicesAt, openLedger, reverseAt } from '../testing/ledgers.ts'

const fixtures = useFixtures()
const at = '2026-03-01T00:00:00Z'

/** A table name can't be an SQL parameter, so it's inserted as text. The names come from the
 *  database's catalog. */
const literal = (text: string): Statement => sql([text] as unknown as TemplateStringsArray)

/** Sets up a ledger with an invoice and two months to invoice, with a credit that covers some
 *  charges. */
async function openMonths() {
  const ledger = await openLedger(fixtures)
  await queryAsOwner(
    fixtures,
    sql`update auth.integrations set billing_email = 'billing@example.com'
         where id = ${ledger.integration}`,
  )
  const old = await chargeAt(fixtures, ledger, '2025-12-05T00:00:00Z', { amount: 300 })
  await makeInvoicesAt(fixtures, '2026-01-01T00:00:00Z')
  await reverseAt(fixtures, ledger, old, '2026-01-05T00:00:00Z')
  await chargeAt(fixtures, ledger, '2026-02-05T00:00:00Z', { amount: 1000 })
  await chargeAt(fixtures, ledger, '2026-02-06T00:00:00Z', { tenant: ledger.tenants[1] })
  return ledger
}

/** Returns the tables a run changes, and rolls the run back. */
const tablesOfARun = () =>
  fixtures.owner.use(async connection => {
    // Returns how many rows this session has changed in each table, possibly before this run.
    const changes = () =>
      connection.run<{ name: string; rows: number }>(
        sql`select relid::regclass::text as name, (n_tup_ins + n_tup_upd + n_tup_del)::int as rows
              from pg_stat_xact_user_tables order by 1`,
      )
    await connection.run(sql`begin`)
    const before = new Map((await changes()).map(({ name, rows }) => [name, rows]))
    await connection.run(sql`select live.invoice_next(${at}::timestamptz)`)
    const after = await changes()
    await connection.run(sql`rollback`)
    return after.filter(({ name, rows }) => rows > (before.get(name) ?? 0)).map(({ name }) => name)
  })

/** Runs the job in a session that dies at its nth row in a table. Returns whether the run reached
 *  that row. */
async function runKilled(table: string, moment: string, row: number): Promise<boolean> {
  await queryAsOwner(fixtures, sql`create sequence public.rows_written`)
  await queryAsOwner(
    fixtures,
    literal(`
      create or replace function public.end_session() returns trigger language plpgsql as $$
      begin
        if nextval('public.rows_written') = ${row} then
          perform pg_terminate_backend(pg_backend_pid());
        end if;
        return coalesce(new, old);
      end $$`),
  )
  await queryAsOwner(
    fixtures,
    literal(`create trigger zz_end_session ${moment} insert or update or delete on ${table}
               for each row execute function public.end_session()`),
  )
  await queryAsOwner(fixtures, sql`grant usage on sequence public.rows_written to public`)
  const killed = await makeInvoicesAt(fixtures, at).then(
    () => false,
    () => true,
  )
  await queryAsOwner(fixtures, literal(`drop trigger zz_end_session on ${table}`))
  await queryAsOwner(fixtures, sql`drop sequence public.rows_written`)
  return killed
}

test('a run killed at any row leaves only complete invoices, and the next run creates the rest', async () => {
  await makeInvoicesAt(fixtures, at)
  await openMonths()
  const tables = await tablesOfARun()
  expect(tables).toEqual(expect.arrayContaining(['live.invoice_lines', 'site.emails']))
  await makeInvoicesAt(fixtures, at)
  const expected = [
    { month: '2025-12', total: 300, lines: 1, sum: 300, status: 'open' },
    { month: '2026-01', total: -300, lines: 1, sum: -300, status: 'paid' },
    { month: '2026-02', total: 5900, lines: 2, sum: 5900, credit: 300, paid: 300 },
  ]
  let kills = 0
  for (const table of tables) {
    for (const moment of ['before', 'after']) {
      for (let row = 1; ; row++) {
        const ledger = await openMonths()
        const killed = await runKilled(table, moment, row)
        if (!killed) break
        kills++
        const left = await invoicesOf(fixtures, ledger)
        expect(left.length).toBeLessThan(expected.length)
        expect(left).toMatchObject(expected.slice(0, left.length))
        // A run creates nothing while another is running, and a killed session takes a while to
        // end.
        await until(async () => {
          await makeInvoicesAt(fixtures, at)
          return (await invoicesOf(fixtures, ledger)).length === expected.length
        })
        expect(await invoicesOf(fixtures, ledger)).toMatchObject(expected)
      }
    }
  }
  expect(kills).toBeGreaterThan(2 * tables.length)
  const [emails] = await queryAsOwner<{ doubled: number }>(
    fixtures,
    sql`select count(*)::int - count(distinct facts->>'number')::int as doubled
          from site.emails where kind = 'invoice_made'`,
  )
  expect(emails?.doubled).toBe(0)
}, 60_000)
