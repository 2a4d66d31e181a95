// Reads the jobs that a release runs on large tables during normal traffic. Jobs are files among
// the migrations, with the next number:
//
// NNNN_name.index.sql contains one `create index concurrently name on schema.table …`.
//
// NNNN_name.backfill.sql contains one statement that changes a batch of rows. `$1` is the position,
// a text after which rows remain, or null at first; `$2` is the batch size. The statement returns
// `next`, the position after the batch, and `rows`, the number of rows in the batch, which is 0 at
// the end. The line `-- of schema.table` names the table whose size is compared with the progress.
//
// With `.mode` before its kind, a file runs once in each mode, like a migration. Decided in
// docs/decisions/0170-build-indexes-after-the-migration.md.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { modes, textIn } from '../modes.ts'
import { Statement } from '../sql.ts'

type JobTarget = { readonly name: string; readonly table: string }
export type IndexJob = JobTarget & {
  readonly kind: 'index'
  /** The index's name, including its schema. */
  readonly index: string
  readonly statement: Statement
}
export type BackfillJob = JobTarget & {
  readonly kind: 'backfill'
  batch(position: string | null, rows: number): Statement
}
export type OnlineJob = IndexJob | BackfillJob

const shape = /^\d{4}_[a-z0-9_]+(\.mode)?\.(index|backfill)\.sql$/

export const isOnlineJob = (file: string): boolean => /\.(index|backfill)\.sql$/.test(file)

export function readOnlineJobs(from: string): OnlineJob[] {
  return readdirSync(from)
    .filter(isOnlineJob)
    .sort()
    .flatMap(file => {
      const [, mode, kind] = shape.exec(file) ?? []
      if (kind === undefined)
        throw new LaunchError(`${file} must be named like 0007_what_it_adds.index.sql`)
      const text = readFileSync(path.join(from, file), 'utf8')
      const name = file.replace(/\.sql$/, '')
      if (mode === undefined) return [jobOf(name, kind, text)]
      return modes.map(each => jobOf(`${name} ${each}`, kind, textIn(text, each)))
    })
}

const jobOf = (name: string, kind: string, text: string): OnlineJob =>
  kind === 'index' ? indexJob(name, text) : backfillJob(name, text)

const indexShape =
  /^create (?:unique )?index concurrently ([a-z_0-9]+)\s+on (([a-z_]+)\.[a-z_0-9]+)\s/m

function indexJob(name: string, text: string): IndexJob {
  const [, index, table, schema] = indexShape.exec(text) ?? []
  if (index === undefined || table === undefined)
    throw new LaunchError(`${name} must create one index concurrently, on a table with its schema.`)
  const statement = new Statement([text], [])
  return { kind: 'index', name, table, index: `${schema}.${index}`, statement }
}

function backfillJob(name: string, text: string): BackfillJob {
  const [, table] = /^-- of ([a-z_]+\.[a-z_0-9]+)$/m.exec(text) ?? []
  const parameters = [...text.matchAll(/\$([12])\b/g)].map(([, number]) => number)
  if (table === undefined || new Set(parameters).size !== 2)
    throw new LaunchError(
      `${name} must name its table in a line -- of schema.table, and use $1 and $2.`,
    )
  const literals = text.split(/\$[12]\b/)
  return {
    kind: 'backfill',
    name,
    table,
    batch: (position, rows) =>
      new Statement(
        literals,
        parameters.map(number => (number === '1' ? position : rows)),
      ),
  }
}
