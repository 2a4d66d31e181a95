// One kind of row in two sizes, each in a separate environment. Every page is requested from both
// environments.
import { SQL } from 'bun'
import type { Cluster, BenchEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { type Log, type Page, pageCost } from './page-cost.ts'
import type { Proof, Result } from './rounds.ts'

export type Kind<Details extends Log> = {
  name: string
  sizes: readonly [few: number, many: number]
  fill(environment: BenchEnvironment, tenant: string, rows: number): Promise<void>
  /** The expected counts after filling, by number of rows, with the query that counts the rows of
   *  tenant `$1`. */
  counts: readonly { what: string; of(rows: number): number; query: string }[]
  loadDetails(log: Log): Promise<Details>
  pages(short: Details, long: Details): readonly Page[]
}

export async function twoLogs<Known extends Log>(
  options: Options,
  cluster: Cluster,
  kind: Kind<Known>,
): Promise<Result> {
  const [few, many] = kind.sizes
  return cluster.withEnvironment(`${kind.name}_few`, async fewEnvironment =>
    cluster.withEnvironment(`${kind.name}_many`, async manyEnvironment => {
      const short = await openLog(kind, fewEnvironment, few)
      const long = await openLog(kind, manyEnvironment, many)
      const logs = [await kind.loadDetails(short.log), await kind.loadDetails(long.log)] as const
      const results: Result[] = []
      for (const page of kind.pages(...logs)) results.push(await pageCost(options, page, ...logs))
      return {
        rows: results.flatMap(({ rows }) => rows),
        notes: results.flatMap(({ notes }) => notes),
        proofs: [...results.flatMap(({ proofs }) => proofs), ...short.proofs, ...long.proofs],
      }
    }),
  )
}

type OpenedLog = { log: Log; proofs: Proof[] }

async function openLog(
  kind: Pick<Kind<never>, 'fill' | 'counts'>,
  environment: BenchEnvironment,
  rows: number,
): Promise<OpenedLog> {
  const [tenant] = await environment.openTenants(1)
  if (!tenant) throw new Error('A tenant must have been opened.')
  await kind.fill(environment, tenant.id, rows)
  // Doesn't use the pool, because counting ten million rows exceeds its statement timeout.
  await using connection = new SQL(environment.url, { max: 1 })
  const proofs: Proof[] = []
  for (const { what, of, query } of kind.counts) {
    const [counted] = await connection.unsafe<{ n: number }[]>(query, [tenant.id])
    proofs.push({ what: `${what}, of ${rows}`, expected: of(rows), found: counted?.n ?? 0 })
  }
  return { log: { environment, tenant, rows, gateway: await environment.openGateway() }, proofs }
}
