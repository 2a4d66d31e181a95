// The output and exit code of a process that doesn't start.
import { isAway } from '#database/failures.ts'
import { LaunchError } from '#database/launch-error.ts'
import { ConfigError } from '../settings/config.ts'

/** One sentence if an operator can fix the failure; otherwise the failure with its stack. */
export function launchFailure(failure: unknown): { text: unknown; exitCode: number } {
  if (failure instanceof ConfigError) return { text: failure.message, exitCode: 2 }
  if (failure instanceof LaunchError) return { text: failure.message, exitCode: 1 }
  if (!(failure instanceof Error && isAway(failure))) return { text: failure, exitCode: 1 }
  const see = '`npm run admin -- doctor` checks it.'
  return { text: `The database can't be used: ${failure.message}. ${see}`, exitCode: 1 }
}
