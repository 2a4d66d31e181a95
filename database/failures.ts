// What a failed statement means. Bun puts the SQLSTATE in `errno` and its own codes in `code`.

type Failure = { errno?: unknown; code?: unknown; constraint?: unknown }

const read = (failure: unknown): Failure =>
  typeof failure === 'object' && failure !== null ? (failure as Failure) : {}

/** The five-character SQLSTATE, or null when the server did not answer. */
export function sqlState(failure: unknown): string | null {
  const { errno } = read(failure)
  return typeof errno === 'string' && /^[0-9A-Z]{5}$/.test(errno) ? errno : null
}

/** Whether the connection, or the server behind it, went away. */
export function isConnectionLost(failure: unknown): boolean {
  const state = sqlState(failure)
  // A transaction that idled or lasted too long is ended with its whole session.
  if (state) return /^(57P|08|25P0[34])/.test(state)
  const { code } = read(failure)
  return (
    typeof code === 'string' &&
    /^(ERR_POSTGRES_(CONNECTION|LIFETIME|IDLE|.*TIMEOUT)|ECONN|EPIPE|FailedToOpenSocket)/.test(code)
  )
}

/** Whether the same call may succeed when it is simply made again: nothing of it was kept, or its
 *  own idempotency record will say that it was. */
export function isTransient(failure: unknown): boolean {
  if (isConnectionLost(failure)) return true
  const state = sqlState(failure)
  // Serialization, deadlock, too many connections, lock or statement timeout, read-only standby.
  return state !== null && ['40001', '40P01', '53300', '55P03', '57014', '25006'].includes(state)
}

/** Whether the server has no room to write, which may last: trying again at once adds to it. */
export const isFull = (failure: unknown) => sqlState(failure) === '53100'

/** Whether the same call may succeed later, at once or when somebody has made room. */
export const isAway = (failure: unknown) => isTransient(failure) || isFull(failure)

/** Whether an exclusion constraint kept the row out: its place is taken. */
export const isExcluded = (failure: unknown) => sqlState(failure) === '23P01'

/** The name of the constraint that was violated, where the server said it. */
export function constraintOf(failure: unknown): string | null {
  const { constraint } = read(failure)
  return typeof constraint === 'string' ? constraint : null
}

/** Whether a unique index refused the row: somebody else's write of the same thing came first. */
export const isDuplicate = (failure: unknown) => sqlState(failure) === '23505'

/** Whether a file or folder was not there. */
export const isMissing = (failure: unknown) => read(failure).code === 'ENOENT'
