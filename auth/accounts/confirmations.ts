// Confirms a second factor on a console page, next to the button that requires it. Authenticator
// apps and passkeys are set up at AUTH_URL. The session keeps its cookie, so open forms stay valid.
import { createEncryption } from '#database/encryption.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { type AuditedCall, insertAuditRow } from '../oauth/audit.ts'
import { openFailedAttempts } from './failed-attempts.ts'
import { listFactors } from './factors.ts'
import { type PasskeyParts, signInOptions, usePasskey } from './passkeys.ts'
import { useAppCode } from './person-store.ts'
import type { Session, Sessions } from './sessions.ts'

type Confirming = {
  readonly session: Session
  readonly organization: string
  readonly call: AuditedCall
  /** A value that only this browser and session have. Passkey challenges are bound to it. */
  readonly bound: string
}

/** The value sent with the button, or an empty string. */
type GivenFactor = { readonly code: string; readonly passkey: string }

export type ConfirmationFault =
  | 'missing'
  | 'wrong_code'
  | 'wrong_passkey'
  | { readonly retrySeconds: number }

export type Confirmations = {
  /** The kinds of factors that the person can confirm with. */
  factorsOf(person: string): Promise<{ readonly hasCode: boolean; readonly hasPasskey: boolean }>
  /** The browser's request to an authenticator, as JSON. */
  passkeyOptions(bound: string): Promise<string>
  /** Verifies the given factor. Returns null if it's right. The session's factor is then fresh. */
  confirm(confirming: Confirming, given: GivenFactor): Promise<ConfirmationFault | null>
}

type Options = Omit<PasskeyParts, 'askedAt'> & {
  readonly sessions: Sessions
  readonly encryptionKeys: readonly string[]
  readonly askedAt: string
}

type Store = Omit<Options, 'encryptionKeys'> & {
  readonly encryption: ReturnType<typeof createEncryption>
  readonly failedAttempts: ReturnType<typeof openFailedAttempts>
}

export function openConfirmations({ encryptionKeys, ...options }: Options): Confirmations {
  const { pool, hmac } = options
  const encryption = createEncryption(encryptionKeys)
  const store: Store = { ...options, encryption, failedAttempts: openFailedAttempts(pool, hmac) }
  return {
    async factorsOf(person) {
      const { hasTotp, passkeys } = await listFactors(pool, person)
      return { hasCode: hasTotp, hasPasskey: passkeys.length > 0 }
    },
    passkeyOptions: async bound => JSON.stringify(await signInOptions(options, bound)),
    async confirm(confirming, given) {
      const code = given.code.normalize('NFKC').replaceAll(/[\s-]/g, '')
      const fault =
        given.passkey !== ''
          ? await passkeyFault(store, confirming, given.passkey)
          : code === ''
            ? 'missing'
            : await codeFault(store, confirming, code)
      if (fault === null) await options.sessions.confirmSecondFactor(confirming.session.id)
      return fault
    },
  }
}

async function passkeyFault(
  store: Store,
  { session, call, bound }: Confirming,
  answer: string,
): Promise<ConfirmationFault | null> {
  const { requestId: request, ...of } = call
  const used = await usePasskey(store, { answer, bound }, { surface: 'console', request, ...of })
  return 'person' in used && used.person === session.person.id ? null : 'wrong_passkey'
}

/** Counts attempts the way sign-in does: after five failures, each attempt waits longer. */
async function codeFault(
  store: Store,
  confirming: Confirming,
  code: string,
): Promise<ConfirmationFault | null> {
  const { session, call } = confirming
  const person = session.person.id
  const subject = `code of ${person} ${networkOf(call.address)}`
  const retrySeconds = await store.failedAttempts.begin('sign_in', subject)
  const isRight = retrySeconds === 0 && (await useAppCode(store, person, code))
  if (isRight) await store.failedAttempts.succeeded('sign_in', subject, true)
  const fault = isRight ? null : retrySeconds > 0 ? { retrySeconds } : 'wrong_code'
  await record(store.pool, confirming, fault)
  return fault
}

const record = (
  pool: ConnectionPool,
  { session, organization, call }: Confirming,
  fault: ConfirmationFault | null,
) => {
  const about =
    fault === null
      ? ({ outcome: 'ok', status: 303, code: null } as const)
      : typeof fault === 'object'
        ? ({ outcome: 'refused', status: 429, code: 'rate_limited' } as const)
        : ({ outcome: 'refused', status: 403, code: fault } as const)
  const subject = sql`values (null::text, null::text, ${organization}::text, null::text,
    ${session.person.id}::text, null::text)`
  return pool.use(connection =>
    connection.run(insertAuditRow(call, { action: 'auth.second_factor', ...about }, subject)),
  )
}
