// The output and exit code of a process that doesn't start.
import { isAway } from '#database/failures.ts'
import { LaunchError } from '#database/launch-error.ts'
import { ConfigError } from '../settings/config.ts'

/** One sentence if an operator can fix the failure; otherwise the failure with its stack. */
export function launchFailure(failure: unknown): { text: unknown; exitCode: number } {
  if (failure instanceof ConfigError) return { text: failure.message, exitCode: 2 }
  if (failure instanceof LaunchError) return { text: failure.message, exitCode: 1 }
  return { text: databaseAway(failure) ?? failure, exitCode: 1 }
}

/** One sentence if the database can't be used; otherwise null. */
export const databaseAway = (failure: unknown): string | null =>
  failure instanceof Error && isAway(failure)
    ? `The database can't be used: ${failure.message}. \`npm run admin -- doctor\` checks it.`
    : null
