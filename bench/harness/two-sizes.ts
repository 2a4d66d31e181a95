// One kind of rows twice, few and many, each in a house of its own: every page is asked of both.
import { SQL } from 'bun'
import type { Cluster, AppContext } from './environment.ts'
import type { Options } from './options.ts'
import { type Log, type Page, pageCost } from './page-cost.ts'
import type { Proof, Result } from './rounds.ts'

export type Kind<Known extends Log> = {
  name: string
  sizes: readonly [few: number, many: number]
  fill(environment: AppContext, tenant: string, rows: number): Promise<void>
  /** What must be there afterwards: its count for so many rows, and the query of the tenant `$1`
   *  that counts it. */
  counts: readonly { what: string; of(rows: number): number; query: string }[]
  know(log: Log): Promise<Known>
  pages(short: Known, long: Known): readonly Page[]
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
      const logs = [await kind.know(short.log), await kind.know(long.log)] as const
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

type Opened = { log: Log; proofs: Proof[] }

async function openLog(
  kind: Pick<Kind<never>, 'fill' | 'counts'>,
  environment: AppContext,
  rows: number,
): Promise<Opened> {
  const [tenant] = await environment.openTenants(1)
  if (!tenant) throw new Error('One tenant was opened.')
  await kind.fill(environment, tenant.id, rows)
  // Not a lane of the house: counting ten million rows takes longer than a lane may.
  await using connection = new SQL(environment.url, { max: 1 })
  const proofs: Proof[] = []
  for (const { what, of, query } of kind.counts) {
    const [counted] = await connection.unsafe<{ n: number }[]>(query, [tenant.id])
    proofs.push({ what: `${what}, of ${rows}`, expected: of(rows), found: counted?.n ?? 0 })
  }
  return { log: { environment, tenant, rows, gateway: await environment.openGateway() }, proofs }
}
