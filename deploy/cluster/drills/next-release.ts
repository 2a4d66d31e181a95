// Creates a next release for a drill: the same program plus a migration, an index and a backfill of
// a large table. The copy consists of hard links, so it uses no space and must stay on its disk.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from '../local/network.ts'
import type { Release } from '../local/state.ts'

export const table = 'public.drill_rows'
const notCopied = new Set(['.git', '.data'])

/** The additions' numbers are higher than any real release's. */
const additions = (newest: string, filled: number) => ({
  '9001_drill_column.sql': `-- compatible with ${newest}\nalter table ${table} add column filled bigint;\n`,
  '9002_drill_rows_text.index.sql': `create index concurrently drill_rows_text on ${table} (text);\n`,
  '9003_drill_filled.backfill.sql': `-- of ${table}
with batch as (
  select id from ${table}
   where id > coalesce($1::text, '0')::bigint and id <= ${filled} order by id limit $2),
changed as (
  update ${table} d set filled = d.id from batch where d.id = batch.id returning d.id)
select max(id)::text as next, count(*)::int as rows from changed
`,
})

export const rowsSql = (rows: number): string => `
  create table ${table} as
    select id, md5(id::text) as text from generate_series(1::bigint, ${rows}) id;
  alter table ${table} add primary key (id);
  alter table ${table} owner to app`

/** Also removes an interrupted drill's leftovers. The old release runs without the additions. */
export const removeSql = `
  drop table if exists ${table};
  delete from public.migrations where name like '90___drill%';
  delete from public.online_jobs where name like '90___drill%'`

/** Counts unfinished jobs and failures. */
export const waitingSql = `
  select count(*) filter (where ended_at is null) || ' ' || count(failure)
    from public.online_jobs where name like '90___drill%'`

export const unfinishedSql = (filled: number): string => `
  select (select count(*) from ${table} where filled is distinct from id and id <= ${filled}) +
         (select count(*) from pg_index where indexrelid = 'public.drill_rows_text'::regclass
                                          and not indisvalid)`

/**
 * Writes the next release's additions. The additions are compatible with this release, which keeps
 * running alongside.
 */
export function addTo(migrations: string, filled: number): void {
  const numbered = readdirSync(migrations).filter(name => !/\.(index|backfill)\./.test(name))
  const newest = numbered.sort().at(-1)?.slice(0, 4) ?? ''
  for (const [name, text] of Object.entries(additions(newest, filled))) {
    writeFileSync(path.join(migrations, name), text)
  }
}

/** Returns the next release's folder. */
export function makeNextRelease(release: Release, filled: number): Release {
  const next = path.join(release, '.data', 'next-release')
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  const entries = readdirSync(release).filter(name => !notCopied.has(name))
  run(['cp', '-al', ...entries.map(name => path.join(release, name)), next])
  addTo(path.join(next, 'database', 'migrations'), filled)
  return next
}
