// Whether this gateway serves live mode. Live mode's requirements (requirements.ts) are checked at
// startup and once a minute. Until all are met, live requests are refused and test mode works. A
// local platform meets none of the requirements, but serves live mode with synthetic patients.
import { describeFailure } from '#database/describe-failure.ts'
import type { Log } from '#http/log.ts'
import type { Check } from '../status/health.ts'
import type { Config } from '../settings/config.ts'
import { isLocal } from '../local/marks.ts'
import { type DatabaseFacts, type Missing, missingOf, missingSettings } from './requirements.ts'

type State = 'open' | 'local' | 'closed' | 'unknown'

export type LiveGate = {
  isOpen(): boolean
  /** Starts checking the database. Resolves once the database responds, or if the response is
   *  slow. */
  watch(ask: () => Promise<DatabaseFacts>): Promise<void>
  readonly check: Check
  stop(): void
}

type GateParts = {
  readonly config: Config
  readonly log: Pick<Log, 'event'>
  readonly everyMilliseconds?: number
}

const patienceMilliseconds = 2000

export function createLiveGate({ config, log, everyMilliseconds = 60_000 }: GateParts): LiveGate {
  const missing = isLocal(config) ? [] : missingSettings(config)
  let state: State = isLocal(config) ? 'local' : missing.length > 0 ? 'closed' : 'unknown'
  let isUsed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWatching = true

  const become = (next: State, lacking: readonly Missing[]) => {
    if (next === state) return
    state = next
    note(log, state, lacking)
  }
  const refresh = async (ask: () => Promise<DatabaseFacts>) => {
    const facts = await ask()
    isUsed = facts.is_used
    if (state === 'local' || missing.length > 0) return
    const lacking = missingOf(facts)
    become(lacking.length > 0 ? 'closed' : 'open', lacking)
  }
  /** An unresponsive database changes nothing, because live requests then fail on their own. */
  const watch = async (ask: () => Promise<DatabaseFacts>): Promise<void> => {
    await refresh(ask).catch((failure: unknown) =>
      log.event('live.not_checked', describeFailure(failure)),
    )
    const wait = state === 'unknown' ? Math.min(1000, everyMilliseconds) : everyMilliseconds
    if (isWatching) timer = setTimeout(() => void watch(ask), wait).unref()
  }
  note(log, state, missing)
  return {
    isOpen: () => state === 'open' || state === 'local',
    watch: ask => Promise.race([watch(ask), Bun.sleep(patienceMilliseconds)]),
    check: {
      name: 'live:mode',
      componentType: 'component',
      failed: 'Cannot tell whether live mode is open.',
      run: () => resultOf(state, isUsed),
    },
    stop() {
      isWatching = false
      clearTimeout(timer)
    },
  }
}

/** Logs the settings' names, but never their values. */
function note(log: Pick<Log, 'event'>, state: State, missing: readonly Missing[]): void {
  if (state === 'unknown') return
  const settings = missing.map(({ setting }) => setting).join(', ')
  if (state !== 'closed') return log.event(`live.${state}`)
  log.event('live.closed', { missing: settings, see: 'npm run admin -- doctor --live' })
}

function resultOf(state: State, isUsed: boolean) {
  if (state === 'open') return { status: 'pass', observedValue: state } as const
  const output =
    state === 'local'
      ? 'Live mode serves synthetic patients on this machine only.'
      : 'Live mode is not open on this server. Test mode is available.'
  const status = state !== 'local' && isUsed ? 'warn' : 'pass'
  return { status, observedValue: state, output } as const
}
