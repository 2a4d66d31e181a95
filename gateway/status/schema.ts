// Whether this gateway supports its database's schema, which a newer version may have migrated. The
// schema is checked when the gateway starts, once a minute, and by /api/health. A gateway that must
// not serve the schema isn't ready.
import { knownMigrations } from '#database/check-schema.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { appliedMigrations, newestOf, numberOf, schemaFault } from '#database/schema-range.ts'
import type { Check, CheckResult } from './health.ts'

export type SchemaWatch = { readonly check: Check; isAccepted(): boolean; stop(): void }

const outputs = {
  older: "The database's schema is older than this version needs.",
  newer: "The database's schema is newer than this version can use.",
} as const

type Watch = {
  /** The first check waits for this promise. */
  begins?: Promise<unknown>
  everyMilliseconds?: number
  known?: ReadonlySet<string>
}

/** How often the first read is retried. */
const firstMilliseconds = 250

export function watchSchema(
  pool: Pick<ConnectionPool, 'use'>,
  { begins = Promise.resolve(), everyMilliseconds = 60_000, known = knownMigrations() }: Watch = {},
): SchemaWatch {
  /** Null until the first read. The last result stays while the database is down. */
  let isAccepted: boolean | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOpen = true
  const look = async (): Promise<CheckResult> => {
    const applied = await pool.use(appliedMigrations)
    const fault = schemaFault(known, applied)
    isAccepted = fault === null
    const observedValue = numberOf(newestOf(applied.map(({ name }) => name)))
    if (fault === null) return { status: 'pass', observedValue }
    return { status: 'fail', observedValue, output: outputs[fault.cause] }
  }
  const again = () => {
    if (!isOpen) return
    const wait = isAccepted === null ? firstMilliseconds : everyMilliseconds
    timer = setTimeout(() => void look().then(again, again), wait).unref()
  }
  void begins.then(look).then(again, again)
  return {
    isAccepted: () => isAccepted === true,
    check: {
      name: 'database:schema',
      componentType: 'datastore',
      failed: "Can't read the database's schema.",
      run: look,
    },
    stop() {
      isOpen = false
      clearTimeout(timer)
    },
  }
}
