// Whether the database responds and accepts writes. The check writes nothing, and uses the failures
// of recent requests instead.
import { isFull, isLoginRefused, isReadOnly, isUntrusted } from '#database/failures.ts'
import type { Check, CheckResult } from './health.ts'

type Refusal = 'full' | 'read_only'

const refusalOutputs: Record<Refusal, string> = {
  full: "The database's disk is full. Writes are refused until space is freed. Pages still work.",
  read_only: 'The database is read-only. Writes are refused until it has a primary.',
}

const refusalOf = (failure: unknown): Refusal | null => {
  if (isFull(failure)) return 'full'
  return isReadOnly(failure) ? 'read_only' : null
}

/** How long after a refused write the next one is expected to fail too. */
const rememberedMilliseconds = 15_000

export type WriteWatch = {
  /** Called with the error that ended a request. */
  note(failure: unknown): void
  readonly check: Check
}

/** `isReadOnly` queries the database, so this check needs no write. */
export function watchWrites(
  clock: () => number,
  isReadOnlyNow: () => Promise<boolean>,
): WriteWatch {
  let refusal: Refusal | null = null
  let at = 0
  const seen = () => (clock() - at < rememberedMilliseconds ? refusal : null)
  return {
    note(failure) {
      const found = refusalOf(failure)
      if (found !== null) [refusal, at] = [found, clock()]
    },
    check: {
      name: 'database:writes',
      componentType: 'datastore',
      failed: "Can't tell whether the database accepts writes.",
      async run(): Promise<CheckResult> {
        const found = seen() ?? ((await isReadOnlyNow()) ? 'read_only' : null)
        return found === null
          ? { status: 'pass' }
          : { status: 'fail', output: refusalOutputs[found] }
      },
    },
  }
}

const noAnswer = "The database isn't responding. Pages, lists and /ask still work."

/** The response time of a statement that does nothing. */
export const databaseCheck = (ping: () => Promise<unknown>): Check => ({
  name: 'database:responseTime',
  componentType: 'datastore',
  failed: reasonOf,
  async run() {
    const began = performance.now()
    await ping()
    const taken = Math.round((performance.now() - began) * 10) / 10
    return { status: 'pass', observedValue: taken, observedUnit: 'ms' }
  },
})

function reasonOf(failure: unknown): string {
  if (isUntrusted(failure)) {
    const { code } = failure as { code: string }
    const what = code === 'CERT_HAS_EXPIRED' ? 'has expired' : "isn't trusted"
    return `The database's certificate ${what}. Pages, lists and /ask still work.`
  }
  return isLoginRefused(failure)
    ? "The database refuses the gateway's login. Pages, lists and /ask still work."
    : noAnswer
}
