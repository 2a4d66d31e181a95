// Scans documents confirmed in live mode. Until a document is scanned, or if it's refused, no one
// can view it. A document is clean if ClamAV finds nothing (if the operator runs ClamAV) and its
// first page can be rendered, which proves its type within the viewer's limits. A document that
// can't be scanned right now stays pending and is retried.

import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { recordWork } from '../audit/record-work.ts'
import type { Worker } from '../jobs/job.ts'
import { openTurns, type Turns } from '../jobs/turns.ts'
import type { Rendered } from '../viewer/viewer.ts'
import type { MalwareScanner } from './malware.ts'
import { readStored } from './render.ts'
import type { Mime } from '../viewer/sniff.ts'
import type { Files } from '../services.ts'

type WorkerContext = Pick<Worker, 'pools' | 'stopping'>

/** Documents scanned concurrently; the viewer renders the same number. */
const atOnce = 2

/** How long a worker may take for a document before another worker claims it. */
const claimSeconds = 120

type Claim = { tenant: string; file: string }
type Pending = Claim & { object: string; mime: Mime }

/** Scans pending documents, and returns how many now have a result. */
export async function scanFiles(
  { pools, stopping }: WorkerContext,
  files: Files,
  scanner: MalwareScanner | null,
): Promise<number> {
  const { live } = pools
  const turns = openTurns()
  let count = 0
  async function scanNext(): Promise<boolean> {
    const claim = await live.use(connection => claimNext(connection, turns))
    if (claim === null) return false
    turns.took(claim.tenant)
    const pending = await live.use(connection => inTenantOf(connection, claim, findPending(claim)))
    const rendered = pending && (await scan(files, scanner, pending))
    await live.use(connection => inTenantOf(connection, claim, record(claim, rendered)))
    count++
    return true
  }
  async function scanAll(): Promise<void> {
    while (!stopping.aborted && (await scanNext()));
  }
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, scanAll))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return count
}

async function scan(
  files: Files,
  scanner: MalwareScanner | null,
  { object, mime }: Pending,
): Promise<Rendered> {
  const bytes = await readStored(files, object)
  if (await scanner?.find(bytes)) return { finding: 'malware' }
  return files.viewer.render(bytes, { mime, page: 1 })
}

async function claimNext(connection: Connection, turns: Turns): Promise<Claim | null> {
  const [claim] = await connection.run<Claim>(sql`
    update file_scans set due_at = now() + ${claimSeconds}::int * interval '1 s'
     where (tenant, file) = (
       select tenant, file from file_scans where due_at <= now()
        order by ${turns.by(sql`tenant::text`)}, due_at limit 1
          for update skip locked)
    returning tenant::text as tenant, file`)
  return claim ?? null
}

async function inTenantOf(
  connection: Connection,
  { tenant }: Claim,
  statement: ReturnType<typeof sql>,
): Promise<Pending | null> {
  await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
  const [row] = await connection.run<Pending>(statement)
  return row ?? null
}

/** Returns no row if the clinic has removed the document since. */
const findPending = ({ tenant, file }: Claim) => sql`
  select tenant::text as tenant, id as file, object, mime from files
   where tenant = ${tenant}::bigint and id = ${file} and status = 'attached' and scan = 'pending'`

function record({ tenant, file }: Claim, rendered: Rendered | null) {
  const finding = rendered && 'finding' in rendered ? rendered.finding : null
  const pages = rendered && 'pages' in rendered ? rendered.pages : null
  const action = finding === null ? 'clearFile' : 'refuseFile'
  return sql`
    with done as (
      delete from file_scans where tenant = ${tenant}::bigint and file = ${file} returning tenant
    ), scanned as (
      update files set scan = case when ${finding}::text is null then 'clean' else 'refused' end,
             finding = ${finding}::text, pages = ${pages}::int
        from done
       where files.tenant = ${tenant}::bigint and id = ${file} and scan = 'pending'
         and status = 'attached' and ${rendered !== null}::boolean
      returning files.tenant, id
    )
    select ${finding === 'malware' ? emailed : sql`null`} as emailed
      from scanned s ${recordWork('live', action, sql`s.tenant, s.id`)}`
}

/** Developers of the integration that uploaded the document. */
const emailed = sql`(
  select site.queue_developers_email(new_id('mail'), t.integration,
                                     s.id, 'malware_found', '{"mode": "live"}')
    from tenants t where t.id = s.tenant)`
