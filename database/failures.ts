// Classifies database errors. Bun puts the SQLSTATE in `errno` and its own codes in `code`.

type Failure = { errno?: unknown; code?: unknown; constraint?: unknown }

const read = (failure: unknown): Failure =>
  typeof failure === 'object' && failure !== null ? (failure as Failure) : {}

/** The five-character SQLSTATE, or null if the server didn't respond. */
export function sqlState(failure: unknown): string | null {
  const { errno } = read(failure)
  return typeof errno === 'string' && /^[0-9A-Z]{5}$/.test(errno) ? errno : null
}

const lostSession = [
  'CONNECTION',
  'LIFETIME',
  'IDLE',
  '.*TIMEOUT',
  // The driver closes the session after an unexpected message.
  'UNEXPECTED',
  'EXPECTED',
  'INVALID_MESSAGE',
  'INVALID_BACKEND',
].join('|')
const lossCodes = new RegExp(`^(ERR_POSTGRES_(${lostSession})|ECONN|EPIPE|FailedToOpenSocket)`)

export function isConnectionLost(failure: unknown): boolean {
  const state = sqlState(failure)
  // 25P03, 25P04: the server ended the session because its transaction idled or lasted too long.
  if (state) return /^(57P|08|25P0[34])/.test(state)
  const { code } = read(failure)
  return typeof code === 'string' && lossCodes.test(code)
}

/** Whether an immediate retry may succeed: either nothing was committed, or the idempotency record
 *  has the retry's response. */
export function isTransient(failure: unknown): boolean {
  if (isConnectionLost(failure)) return true
  const state = sqlState(failure)
  // Serialization, deadlock, too many connections, lock or statement timeout, read-only standby.
  return state !== null && ['40001', '40P01', '53300', '55P03', '57014', '25006'].includes(state)
}

/** Whether the server's disk is full. A full disk may last, and an immediate retry would add
 *  load. */
export const isFull = (failure: unknown) => sqlState(failure) === '53100'

/** Whether the server is read-only, as a standby or by its configuration. */
export const isReadOnly = (failure: unknown) => sqlState(failure) === '25006'

const untrusted =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_|ERR_POSTGRES_(TLS|SSL)_)/

/** Whether the server's certificate can't be trusted: it expired, has another name, is missing, or
 *  is signed by an authority other than ours. */
export function isUntrusted(failure: unknown): boolean {
  const { code } = read(failure)
  return typeof code === 'string' && untrusted.test(code)
}

/** Whether the server rejects this role's login, or has no such database. */
export const isLoginRefused = (failure: unknown) => /^(28|3D)/.test(sqlState(failure) ?? '')

/** Whether a retry may succeed only once an operator has acted. */
const needsOperator = (failure: unknown) =>
  isFull(failure) || isUntrusted(failure) || isLoginRefused(failure)

/** Whether a later retry may succeed. The pool's own timeout isn't transient: an immediate retry
 *  would wait behind the same calls. */
export const isAway = (failure: unknown) =>
  isTransient(failure) || needsOperator(failure) || read(failure).code === 'POOL_TIMEOUT'

/** Whether the server rejected a row's values: a data exception or a violated constraint. */
export const isRejectedValue = (failure: unknown) => /^2[23]/.test(sqlState(failure) ?? '')

/** Whether an exclusion constraint rejected the row because it overlaps another one. */
export const isExcluded = (failure: unknown) => sqlState(failure) === '23P01'

/** The name of the violated constraint, if the server gave it. */
export function constraintOf(failure: unknown): string | null {
  const { constraint } = read(failure)
  return typeof constraint === 'string' ? constraint : null
}

/** Whether a unique index rejected the row because a row with the same key exists. */
export const isDuplicate = (failure: unknown) => sqlState(failure) === '23505'

const statements = new WeakMap<object, string>()

/** Attaches the failed statement's text to the failure. */
export function withStatement(failure: unknown, text: string): unknown {
  if (typeof failure === 'object' && failure !== null) statements.set(failure, text)
  return failure
}

/** The failed statement's text, which contains no values; undefined for other failures. */
export const statementOf = (failure: unknown): string | undefined =>
  typeof failure === 'object' && failure !== null ? statements.get(failure) : undefined

/** Whether a file or folder doesn't exist. */
export const isMissing = (failure: unknown) => read(failure).code === 'ENOENT'
