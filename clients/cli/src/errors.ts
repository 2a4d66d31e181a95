// Errors of commands, and the exit codes that report them to scripts.

/** `svc --help` and the guide print this table. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notLoggedIn: 4,
  notPermitted: 5,
  notFound: 6,
  rateLimited: 7,
  unavailable: 8,
  checkFailed: 9,
  interrupted: 130,
} as const

export type Exit = keyof typeof exitCodes

export const exitMeanings: Readonly<Record<Exit, string>> = {
  done: 'success',
  failed: 'the program itself failed',
  usage: 'wrong usage: an unknown flag, a missing argument',
  refused: 'the API refused; the code is on stderr',
  notLoggedIn: 'not logged in, or the credential expired',
  notPermitted: 'not permitted: scope, mode or grant',
  notFound: 'not found',
  rateLimited: 'rate limited, even after retries',
  unavailable: "the API failed or couldn't be reached",
  checkFailed: 'a check failed: webhooks verify, doctor, a scenario',
  interrupted: 'interrupted',
}

export class CommandError extends Error {
  /** Set for a write that may have taken effect. Repeating it with this key is safe. */
  idempotencyKey?: string

  constructor(
    readonly exit: Exit,
    message: string,
    /** What to do next. */
    readonly hint?: string,
  ) {
    super(message)
  }
}

export const usage = (message: string, hint?: string) => new CommandError('usage', message, hint)

export type Problem = {
  readonly code: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  readonly hint?: string
  readonly request_id?: string
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[]
}

/** The API refused the request with a problem. */
export class ApiRefusal extends CommandError {
  /** A value that the user probably meant. */
  suggestion?: string

  constructor(
    readonly problem: Problem,
    readonly retryAfterSeconds?: number,
  ) {
    super(exitOf(problem.status), `${problem.title} (${problem.code}, ${problem.status})`)
  }
}

/** Marks an error of a write that may have taken effect. */
export function maybeDone<E extends CommandError>(error: E, key: string | undefined): E {
  if (key !== undefined) error.idempotencyKey = key
  return error
}

export const repeatAdvice = (key: string) =>
  `The write may have taken effect. To repeat it safely, add --idempotency-key ${key}`

/** An error as JSON: an API problem as received, or any other error with the same field names. */
export function errorJson(error: CommandError): object {
  const key = error.idempotencyKey
  const repeat = key === undefined ? {} : { idempotency_key: key }
  if (error instanceof ApiRefusal) return { ...error.problem, ...repeat }
  const { exit, message, hint } = error
  const code = exit.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return { code, title: message, ...(hint ? { hint } : {}), exit_code: exitCodes[exit], ...repeat }
}

export function exitOf(status: number): Exit {
  if (status >= 500) return 'unavailable'
  const known: Readonly<Record<number, Exit>> = {
    401: 'notLoggedIn',
    403: 'notPermitted',
    404: 'notFound',
    410: 'notFound',
    429: 'rateLimited',
  }
  return known[status] ?? 'refused'
}

/** An error for a response from a proxy or another site instead of the API. */
export const notTheApi = (status: number, url: string): CommandError =>
  new CommandError(
    status >= 500 ? 'unavailable' : 'refused',
    `${new URL(url).origin} responded with ${status}, and the response isn't from the API`,
    'Check --base-url, or run `svc config get base_url`.',
  )
