// Classifies errors of the database. Bun puts the SQLSTATE in `errno` and its own codes in `code`.

type Failure = { errno?: unknown; code?: unknown; constraint?: unknown }

const read = (failure: unknown): Failure =>
  typeof failure === 'object' && failure !== null ? (failure as Failure) : {}

/** The five-character SQLSTATE, or null when the server did not answer. */
export function sqlState(failure: unknown): string | null {
  const { errno } = read(failure)
  return typeof errno === 'string' && /^[0-9A-Z]{5}$/.test(errno) ? errno : null
}

const lostSession = [
  'CONNECTION',
  'LIFETIME',
  'IDLE',
  '.*TIMEOUT',
  // The driver closes the session after a message it doesn't expect.
  'UNEXPECTED',
  'EXPECTED',
  'INVALID_MESSAGE',
  'INVALID_BACKEND',
].join('|')
const lossCodes = new RegExp(`^(ERR_POSTGRES_(${lostSession})|ECONN|EPIPE|FailedToOpenSocket)`)

/** Whether the connection was lost. */
export function isConnectionLost(failure: unknown): boolean {
  const state = sqlState(failure)
  // 25P03, 25P04: the server ended the session because its transaction idled or lasted too long.
  if (state) return /^(57P|08|25P0[34])/.test(state)
  const { code } = read(failure)
  return typeof code === 'string' && lossCodes.test(code)
}

/** Whether the same call may succeed when it is made again at once: nothing of it was committed, or
 *  its idempotency record answers the second one. */
export function isTransient(failure: unknown): boolean {
  if (isConnectionLost(failure)) return true
  const state = sqlState(failure)
  // Serialization, deadlock, too many connections, lock or statement timeout, read-only standby.
  return state !== null && ['40001', '40P01', '53300', '55P03', '57014', '25006'].includes(state)
}

/** Whether the server's disk is full. That may last, and retrying at once would add load. */
export const isFull = (failure: unknown) => sqlState(failure) === '53100'

/** Whether the server only lets itself be read: a standby, or one that is set so. */
export const isReadOnly = (failure: unknown) => sqlState(failure) === '25006'

const untrusted =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_|ERR_POSTGRES_(TLS|SSL)_)/

/** Whether the certificate of the server is not to be trusted: it has ended, has another name, is
 *  signed by an authority that isn't ours, or missing. */
export function isUntrusted(failure: unknown): boolean {
  const { code } = read(failure)
  return typeof code === 'string' && untrusted.test(code)
}

/** Whether the server does not let this role in, or has no such database. */
export const isLoginRefused = (failure: unknown) => /^(28|3D)/.test(sqlState(failure) ?? '')

/** Whether the same call may succeed later, at the earliest when an operator has done something. */
const needsOperator = (failure: unknown) =>
  isFull(failure) || isUntrusted(failure) || isLoginRefused(failure)

/** Whether the same call may succeed later. */
export const isAway = (failure: unknown) => isTransient(failure) || needsOperator(failure)

/** Whether the server refused the values of a row: a data exception or a violated constraint. */
export const isRejectedValue = (failure: unknown) => /^2[23]/.test(sqlState(failure) ?? '')

/** Whether an exclusion constraint refused the row, because it overlaps another one. */
export const isExcluded = (failure: unknown) => sqlState(failure) === '23P01'

/** The name of the violated constraint, if the server gave it. */
export function constraintOf(failure: unknown): string | null {
  const { constraint } = read(failure)
  return typeof constraint === 'string' ? constraint : null
}

/** Whether a unique index refused the row, because a row with the same key exists. */
export const isDuplicate = (failure: unknown) => sqlState(failure) === '23505'

const statements = new WeakMap<object, string>()

/** The failure, which from now on knows the text of the statement that failed. */
export function withStatement(failure: unknown, text: string): unknown {
  if (typeof failure === 'object' && failure !== null) statements.set(failure, text)
  return failure
}

/** The text of the statement that failed, which holds no values; undefined for other failures. */
export const statementOf = (failure: unknown): string | undefined =>
  typeof failure === 'object' && failure !== null ? statements.get(failure) : undefined

/** Whether a file or folder does not exist. */
export const isMissing = (failure: unknown) => read(failure).code === 'ENOENT'
