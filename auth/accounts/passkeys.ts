// Passkeys (Web Authentication). A passkey proves both factors in one step, because its
// authenticator verifies the person with a PIN, fingerprint or face. Challenges are signed for the
// requesting browser and session, and are valid for ten minutes. The database records used
// challenges.
import { minuteMilliseconds } from '#contract/moments.ts'
import { timingSafeEqual } from 'node:crypto'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { decide, type OwnAct, type RefusedOwnChange } from './own-acts.ts'
import type { Person } from './person-store.ts'
import type { NewRecoveryCodes } from './recovery-codes.ts'
import { actOf } from '../act.ts'

/** Loaded on first use, because it takes 100 ms. */
const library = () => import('@simplewebauthn/server')

const minutesMax = 10
const randomCount = 16
const macCount = 16

export type PasskeyParts = {
  readonly pool: ConnectionPool
  /** AUTH_URL, whose host passkeys belong to. */
  readonly origin: string
  /** Another of our origins, whose pages use the passkeys for that host. */
  readonly askedAt?: string
  /** The company's name, shown by the browser. */
  readonly company: string
  hmac(text: string): Uint8Array
  randomBytes(count: number): Uint8Array
  now(): number
}

/** `bound` is a value that only this browser and session have. */
function newChallenge(
  { hmac, randomBytes, now }: PasskeyParts,
  bound: string,
): Uint8Array<ArrayBuffer> {
  const body = Buffer.alloc(4 + randomCount)
  body.writeUInt32BE(Math.floor(now() / minuteMilliseconds))
  body.set(randomBytes(randomCount), 4)
  return new Uint8Array(Buffer.concat([body, macOf(hmac, body, bound)]))
}

const macOf = (hmac: PasskeyParts['hmac'], body: Buffer, bound: string) =>
  Buffer.from(hmac(`challenge of a passkey\n${bound}\n${body.toString('hex')}`)).subarray(
    0,
    macCount,
  )

const isChallenge =
  ({ hmac, now }: PasskeyParts, bound: string) =>
  (text: string) => {
    const given = Buffer.from(text, 'base64url')
    if (given.length !== 4 + randomCount + macCount) return false
    const body = given.subarray(0, 4 + randomCount)
    const minutes = Math.floor(now() / minuteMilliseconds) - body.readUInt32BE()
    const isTimely = minutes >= 0 && minutes <= minutesMax
    return isTimely && timingSafeEqual(given.subarray(4 + randomCount), macOf(hmac, body, bound))
  }

const hashOf = (challenge: string) => new Bun.CryptoHasher('sha256').update(challenge).digest()

const hostOf = ({ origin }: PasskeyParts) => new URL(origin).hostname

/** The options for adding a passkey. `existing` lists passkey IDs that can't be added again. */
export const registrationOptions = async (
  parts: PasskeyParts,
  { person, existing, bound }: { person: Person; existing: readonly string[]; bound: string },
) =>
  (await library()).generateRegistrationOptions({
    rpName: parts.company,
    rpID: hostOf(parts),
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.id)),
    challenge: newChallenge(parts, bound),
    excludeCredentials: existing.map(id => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })

/** The options for signing in with any passkey for this host. */
export const signInOptions = async (parts: PasskeyParts, bound: string) =>
  (await library()).generateAuthenticationOptions({
    rpID: hostOf(parts),
    userVerification: 'required',
    challenge: newChallenge(parts, bound),
  })

type Answer = { id: string; rawId: string; type: 'public-key'; clientExtensionResults: object }

const isText = (value: unknown): value is string => typeof value === 'string'
const base64url = /^[\w-]+$/
/** The browser reports these unsigned, and the library doesn't check them. */
const isTransport = (value: unknown) => isText(value) && /^[a-z-]{1,32}$/.test(value)

/** The browser's response if it's well-formed, or null. */
function answerIn(text: string, fields: readonly string[]): (Answer & { response: never }) | null {
  const given = parsed(text)
  if (typeof given !== 'object' || given === null) return null
  const { id, rawId, type, response } = given as Record<string, unknown>
  const isAnswer =
    isText(id) &&
    base64url.test(id) &&
    id === rawId &&
    type === 'public-key' &&
    typeof response === 'object' &&
    response !== null &&
    fields.every(name => isText((response as Record<string, unknown>)[name]))
  return isAnswer ? (given as Answer & { response: never }) : null
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The challenge in a response. The response's signature is verified against it. */
const challengeIn = (answer: { response: { clientDataJSON: string } }): string => {
  const data = parsed(Buffer.from(answer.response.clientDataJSON, 'base64url').toString())
  const { challenge } = (data ?? {}) as { challenge?: unknown }
  return isText(challenge) ? challenge : ''
}

type Addition = {
  readonly person: string
  readonly name: string
  /** The browser's response as JSON. */
  readonly answer: string
  readonly bound: string
  readonly recoveryCodes: NewRecoveryCodes | null
}

/** Returns null if the library throws, because the response is invalid. */
const verified = <T extends { verified: boolean }>(work: Promise<T>): Promise<T | null> =>
  work.then(
    done => (done.verified ? done : null),
    () => null,
  )

export async function addPasskey(
  parts: PasskeyParts,
  { person, name, answer, bound, recoveryCodes }: Addition,
  act: OwnAct,
): Promise<RefusedOwnChange | null> {
  const response = answerIn(answer, ['clientDataJSON', 'attestationObject'])
  if (response === null) return 'wrong_passkey'
  const { verifyRegistrationResponse } = await library()
  const made = await verified(
    verifyRegistrationResponse({
      response,
      expectedChallenge: isChallenge(parts, bound),
      expectedOrigin: parts.origin,
      expectedRPID: hostOf(parts),
      requireUserVerification: true,
    }),
  )
  if (made?.registrationInfo === undefined) return 'wrong_passkey'
  const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential
  const isKnown = Array.isArray(transports) && transports.every(isTransport)
  const stored = recoveryCodes?.stored ?? sql`null::bytea[], null::text`
  return decide(
    parts.pool,
    sql`auth.add_passkey(${id}, ${person}, ${name}, ${publicKey}, ${counter}::bigint,
      ${isKnown ? transports : []}::text[], ${hashOf(challengeIn(response))}, ${stored}, ${actOf(act)})`,
  )
}

type PasskeyRow = Row & { person: string; public_key: Uint8Array }

/** Returns the person whose passkey signed the response, or why the response was refused. */
export async function usePasskey(
  parts: PasskeyParts,
  { answer, bound }: { answer: string; bound: string },
  act: OwnAct,
): Promise<{ person: string } | { refusal: RefusedOwnChange }> {
  const refusal = { refusal: 'wrong_passkey' } as const
  const response = answerIn(answer, ['clientDataJSON', 'authenticatorData', 'signature'])
  if (response === null) return refusal
  const [key] = await parts.pool.use(connection =>
    connection.run<PasskeyRow>(
      sql`select person, public_key from auth.passkeys where id = ${response.id}`,
    ),
  )
  if (key === undefined) return refusal
  const publicKey = new Uint8Array(key.public_key)
  const { verifyAuthenticationResponse } = await library()
  const done = await verified(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: isChallenge(parts, bound),
      expectedOrigin: parts.askedAt ?? parts.origin,
      expectedRPID: hostOf(parts),
      // The database compares the counter instead, to decide between two simultaneous uses.
      credential: { id: response.id, publicKey, counter: 0 },
      requireUserVerification: true,
    }),
  )
  if (done === null) return refusal
  const { newCounter } = done.authenticationInfo
  const refused = await decide(
    parts.pool,
    sql`auth.use_passkey(${response.id}, ${hashOf(challengeIn(response))}, ${newCounter}::bigint,
      ${actOf(act)})`,
  )
  return refused === null ? { person: key.person } : { refusal: refused }
}
