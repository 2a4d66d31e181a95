// Writes bulk exports' files. A step claims one export, reads one source's next rows a page at a
// time, stores them as a file, and advances the export's position only if no other worker has done
// so. If a worker is killed, its claim expires, and no rows are missing or written twice.

import { bulkLimits } from '#contract/fhir/bulk.ts'
import { type About, resourceOf } from '#contract/fhir/mapping.ts'
import { mappings } from '#contract/fhir/mappings.ts'
import { lastIdOf } from '#contract/ids.ts'
import type { Mode } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { recordWork } from '../../audit/record-work.ts'
import { type Job, liveFirst, type Worker } from '../../jobs/job.ts'
import { openTurns, type Turns } from '../../jobs/turns.ts'
import { findMedication } from '../../medications/medication.ts'
import { published } from '../../pipeline/publish.ts'
import type { Files } from '../../services.ts'
import { bundleKey, type Spool } from '../../storage/storage.ts'
import { type Source, sources } from '../sources.ts'

const claimSeconds = 60
const attemptsMax = 10
const pageSize = 500

type Claim = {
  tenant: string
  integration: string
  organization: string
  id: string
  types: string[]
  since: string | null
  patients: string[] | null
  is_clinic: boolean
  source: number
  after: string
  attempts: number
  created_at: string
}

type Parts = { readonly files: Files; readonly base: string }
type WorkerContext = Pick<Worker, 'pools' | 'fresh' | 'stopping'>

export const bulkExportsJob = (parts: Parts): Job => ({
  name: 'fhir-exports',
  everySeconds: 1,
  async run(worker) {
    let files = 0
    for (const mode of liveFirst) {
      await worker.pools[mode].use(connection => expire(connection, mode))
      files += await writeFiles(worker, mode, parts)
    }
    return files > 0 ? { files } : undefined
  },
})

/** Advances every due export; returns how many files it wrote. */
export async function writeFiles(worker: WorkerContext, mode: Mode, parts: Parts): Promise<number> {
  const turns = openTurns()
  for (let files = 0; ;) {
    if (worker.stopping.aborted) return files
    const wrote = await worker.pools[mode].use(connection =>
      step(connection, mode, worker, parts, turns),
    )
    if (wrote === null) return files
    files += wrote
  }
}

/** Advances one due export, and returns how many files it wrote; null if no export is due. */
async function step(
  connection: Connection,
  mode: Mode,
  worker: WorkerContext,
  { files: { storage }, base }: Parts,
  turns: Turns,
): Promise<number | null> {
  const [claim] = await connection.run<Claim>(claimNext(turns))
  if (!claim) return null
  turns.took(claim.tenant)
  await connection.run(sql`select set_config('app.tenant', ${claim.tenant}, false)`)
  const own = sources.filter(({ type }) => claim.types.includes(type))
  const source = own[claim.source]
  if (source === undefined) throw new Error('the export is past its last source')
  const object = worker.fresh() + worker.fresh()
  const spool = await storage.spool()
  try {
    const { count, last, isDone } = await write(spool, connection, mode, source, claim, base)
    if (count > 0) await storage.store(bundleKey(mode, object), await spool.end())
    const place = isDone ? claim.source + 1 : claim.source
    const moved = await connection.run(
      move(claim, {
        source: place,
        after: isDone ? '' : last,
        isEnd: place === own.length,
        file: count > 0 ? { type: source.type, count, object } : null,
      }),
    )
    if (moved.length > 0) return count > 0 ? 1 : 0
    if (count > 0) await storage.remove(bundleKey(mode, object))
    return 0
  } finally {
    await spool.discard()
  }
}

const claimNext = (turns: Turns): Statement => sql`
  update bulk_exports e
     set attempts = e.attempts + 1, due_at = now() + ${claimSeconds}::int * interval '1 s'
    from tenants t
   where t.id = e.tenant and (e.tenant, e.id) = (
     select tenant, id from bulk_exports where status = 'running' and due_at <= now()
      order by ${turns.by(sql`tenant::text`)}, due_at limit 1 for update skip locked)
  returning e.tenant::text as tenant, t.integration, t.organization, e.id, e.types,
            iso(e.since) as since, e.patients, e.person is not null as is_clinic, e.source, e.after,
            e.attempts, iso(e.created_at) as created_at`

/** Writes a file's rows, and returns where the next file starts. */
async function write(
  spool: Spool,
  connection: Connection,
  mode: Mode,
  source: Source,
  claim: Claim,
  origin: string,
) {
  const about: About = { ...claim, origin, medication: findMedication }
  const reader = { principal: { tenant: claim.tenant, mode }, isClinic: claim.is_clinic }
  const id = sql`${source.table}.id`
  const { changed } = source
  // IDs are in commit order, so later rows have greater IDs.
  const until = lastIdOf(source.prefix, Date.parse(claim.created_at))
  let [last, count] = [claim.after, 0]
  while (count < bulkLimits.rowsPerFile) {
    const page = await connection.run<{ id: string; row: string }>(sql`
      select ${id} as id, ${published(source.columns)} as row ${source.from(reader)}
         ${claim.patients === null ? nothing : source.ofPatients(reader, claim.patients)}
         ${claim.since === null || changed === null ? nothing : sql`and ${changed} > ${claim.since}::timestamptz`}
         and ${id} > ${last} and ${id} <= ${until}
       order by ${id} limit ${pageSize}::int`)
    const lines = page.map(
      ({ row }) => `${JSON.stringify(resourceOf(mappings[source.name], JSON.parse(row), about))}\n`,
    )
    await spool.write(new TextEncoder().encode(lines.join('')))
    last = page.at(-1)?.id ?? last
    count += page.length
    if (page.length < pageSize) return { count, last, isDone: true }
  }
  return { count, last, isDone: false }
}

type Move = {
  readonly source: number
  readonly after: string
  readonly isEnd: boolean
  readonly file: { readonly type: string; readonly count: number; readonly object: string } | null
}

/** Advances the export and inserts its new file, unless the export was deleted or another worker
 *  advanced it. After a full file, the next one waits a second. */
const move = (claim: Claim, { source, after, isEnd, file }: Move): Statement => sql`
  with moved as (
    update bulk_exports set source = ${source}::int, after = ${after}, attempts = 0,
           status = ${isEnd ? 'completed' : 'running'},
           due_at = now() + ${after === '' ? 0 : 1}::int * interval '1 s'
     where tenant = ${claim.tenant}::bigint and id = ${claim.id} and status = 'running'
       and source = ${claim.source}::int and after = ${claim.after}
       and attempts = ${claim.attempts}::int
    returning tenant, id, created_at
  ), filed as (
    insert into bulk_files (tenant, id, export, type, count, object, created_at)
    select tenant, public.new_id('part'), id, ${file?.type ?? ''}, ${file?.count ?? 0}::int,
           ${file?.object ?? null}::text, created_at
      from moved where ${file !== null}::boolean
  )
  select id from moved`

/** Ends exports that can't be completed, and removes expired files. */
async function expire(connection: Connection, mode: Mode): Promise<void> {
  const now = sql`now() + t.ahead_ms * interval '1 ms'`
  await connection.run(sql`
    update bulk_exports e set status = 'failed' from tenants t
     where t.id = e.tenant and e.status = 'running'
       and (e.attempts >= ${attemptsMax}::int and e.due_at <= now() or e.expires_at <= ${now})`)
  await connection.run(sql`
    with gone as (
      update bulk_files f set object = null from bulk_exports e join tenants t on t.id = e.tenant
       where e.tenant = f.tenant and e.id = f.export and f.object is not null
         and e.expires_at + interval '1 hour' <= ${now}
      returning f.tenant, f.id
    )
    select 1 as one from gone g ${recordWork(mode, 'expireFhirFile', sql`g.tenant, g.id`)}`)
}
