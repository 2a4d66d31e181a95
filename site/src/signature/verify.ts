// Explains why a signature doesn't match by checking for common mistakes. The check runs in the
// reader's browser and sends nothing.

type SignedRequest = {
  header: string
  body: string
  secret: string
  /** When the request arrived, in seconds since 1970. */
  now: number
  /** The digest that the reader's own program computed; may be empty. */
  own: string
}

export type Outcome = 'accepted' | 'stale' | 'mismatch' | 'no_signature' | 'malformed'

export type Verdict = {
  outcome: Outcome
  /** Seconds between the signature's timestamp and `now`; positive if it's in the past. */
  age: number | null
  /** The digest that a receiver computes from this secret and body. */
  expected: string | null
  given: readonly string[]
  /**
   * The mistake that explains the header's digest, and the mistake that explains the reader's own
   * digest.
   */
  cause: string | null
  ownCause: string | null
}

export const toleranceSeconds = 300

const encoder = new TextEncoder()

async function hmac(hash: 'SHA-256' | 'SHA-1' | 'SHA-512', key: Uint8Array, text: string) {
  const usages: KeyUsage[] = ['sign']
  const bytes = new Uint8Array(key.length > 0 ? key : [0])
  const imported = await crypto.subtle.importKey(
    'raw',
    bytes,
    { name: 'HMAC', hash },
    false,
    usages,
  )
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)))
}

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Splits the header by commas, and each part at its first `=`, as a receiver should. */
function partsOf(header: string): { t: string | null; given: string[] } {
  const value = header.trim().replace(/^service-signature\s*:\s*/i, '')
  const parts = value.split(',').map(part => part.trim().split('='))
  const all = (name: string) =>
    parts.filter(([one]) => one === name).map(([, ...rest]) => rest.join('='))
  const [t, ...more] = all('t')
  const isTime = t !== undefined && more.length === 0 && /^\d{1,12}$/.test(t)
  return { t: isTime ? t : null, given: all('v1') }
}

const nothing = { age: null, expected: null, cause: null, ownCause: null }

export async function verify(request: SignedRequest): Promise<Verdict> {
  const { t, given } = partsOf(request.header)
  if (t === null) return { ...nothing, outcome: 'malformed', given }
  if (given.length === 0) return { ...nothing, outcome: 'no_signature', given }
  const { secret, body, now } = request
  const expected = hexOf(await hmac('SHA-256', encoder.encode(secret), `${t}.${body}`))
  const age = now - Number(t)
  const own = request.own.trim()
  const ownCause = own === '' || own === expected ? null : await causeOf(request, t, own)
  const known = { age, expected, given, ownCause }
  if (given.includes(expected)) {
    const outcome = Math.abs(age) > toleranceSeconds ? 'stale' : 'accepted'
    return { ...known, outcome, cause: null }
  }
  const cause = await firstOf(given.map(one => () => causeOf(request, t, one)))
  return { ...known, outcome: 'mismatch', cause }
}

async function firstOf(tries: (() => Promise<string | null>)[]): Promise<string | null> {
  for (const one of tries) {
    const found = await one()
    if (found !== null) return found
  }
  return null
}

type Variant<T> = [value: T, cause: string | null]

/** The body after common changes by tools in transit. */
function bodies(body: string): Variant<string>[] {
  const found: Variant<string>[] = [[body, null]]
  const add = (value: string, cause: string) => void (value === body || found.push([value, cause]))
  add(body.replace(/\r?\n$/, ''), 'The body ends in a line break that wasn’t sent.')
  add(`${body}\n`, 'The signed body ends in a line break, but this one doesn’t.')
  add(body.trim(), 'The body has whitespace around it that wasn’t sent.')
  add(body.replaceAll('\r\n', '\n'), 'The body’s line breaks were changed to CRLF.')
  add(body.replaceAll('\n', '\r\n'), 'The body’s line breaks were changed from CRLF.')
  add(body.replace(/^\uFEFF/, ''), 'A byte order mark was added before the body.')
  const parsed = parse(body)
  if (parsed !== undefined) {
    const again = 'The body was parsed and serialized again. Use the raw bytes, before parsing.'
    add(JSON.stringify(parsed), again)
    add(JSON.stringify(parsed, null, 2), again)
    add(JSON.stringify(parsed, null, 4), again)
    add(pythonic(parsed), again)
  }
  add('', 'The digest is for an empty body. Something had already read the body.')
  return found
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A body that isn't JSON can't have been parsed and serialized again.
    return undefined
  }
}

/** Serializes as Python's json.dumps does. */
const pythonic = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonic).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${pythonic(one)}`,
  )
  return `{${members.join(', ')}}`
}

function secrets(secret: string): Variant<Uint8Array>[] {
  const found: Variant<Uint8Array>[] = [[encoder.encode(secret), null]]
  const add = (value: string, cause: string) =>
    void (value === secret || found.push([encoder.encode(value), cause]))
  add(secret.trim(), 'The secret has whitespace around it.')
  add(secret.trim().replace(/^["']|["']$/g, ''), 'The secret has quotes around it.')
  const bare = secret.trim().replace(/^whsec_/, '')
  add(bare, 'The key is the whole secret, but `whsec_` was cut off.')
  add(`whsec_${bare}`, 'The key is the whole secret, but `whsec_` is missing.')
  const decoded = decode(bare)
  if (decoded) {
    found.push([decoded, 'The key is the secret as text, but it was decoded from base64 first.'])
  }
  return found
}

function decode(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), one => one.charCodeAt(0))
  } catch {
    // A secret that isn't base64 can't have been decoded.
    return null
  }
}

/** The ways to combine timestamp and body into the signed text. */
const messages = (t: string, now: number) =>
  [
    [(body: string) => `${t}.${body}`, null],
    [(body: string) => body, 'The timestamp is missing. Sign `<t>.<body>`.'],
    [(body: string) => `${t}${body}`, 'The dot between the timestamp and the body is missing.'],
    [(body: string) => `${t}:${body}`, 'Join the timestamp and the body with a dot, not a colon.'],
    [(body: string) => `t=${t}.${body}`, 'Before the dot, use only the number, without `t=`.'],
    [
      (body: string) => `${t}000.${body}`,
      'The timestamp is in seconds, but milliseconds were used.',
    ],
    [(body: string) => `${now}.${body}`, 'Sign the header’s timestamp, not the receiver’s clock.'],
  ] as const

const hashes = [
  ['SHA-256', null],
  ['SHA-1', 'The hash is SHA-256, but SHA-1 was used.'],
  ['SHA-512', 'The hash is SHA-256, but SHA-512 was used.'],
] as const

/** The mistake that produces this digest, or null. */
async function causeOf(request: SignedRequest, t: string, digest: string): Promise<string | null> {
  for (const [body, ofBody] of bodies(request.body)) {
    for (const [key, ofSecret] of secrets(request.secret)) {
      for (const [message, ofMessage] of messages(t, request.now)) {
        for (const [hash, ofHash] of hashes) {
          const wrong = [ofBody, ofSecret, ofMessage, ofHash].filter(one => one !== null)
          // Combinations of more than two mistakes are too many to try.
          if (wrong.length > 2) continue
          const made = await hmac(hash, key, message(body))
          const form = formOf(made, digest)
          if (form !== undefined) return [...wrong, ...form].join(' ') || null
        }
      }
    }
  }
  return null
}

/** The encoding that turns a text into this digest, or undefined. */
function formOf(made: Uint8Array, digest: string): string[] | undefined {
  const hex = hexOf(made)
  if (digest === hex) return []
  if (digest.toLowerCase() === hex) return ['The digest must be lowercase.']
  if (digest.replace(/=*$/, '') === base64Of(made).replace(/=*$/, '')) {
    return ['The digest must be hexadecimal, but it’s base64.']
  }
  return undefined
}
