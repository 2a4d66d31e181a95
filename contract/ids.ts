// Every id the API publishes: a prefix, `_`, ten Crockford characters of a millisecond and sixteen
// random ones, all lowercase (decision C2). Within one stream ids sort in commit order.

export const prefixes = {
  organization: 'org',
  patient: 'pat',
  consent: 'cons',
  case: 'case',
  medication: 'med',
  message: 'msg',
  prescription: 'rx',
  order: 'ord',
  integration: 'int',
  request: 'req',
  event: 'evt',
  visit: 'vis',
  file: 'file',
  slot: 'slot',
  export: 'exp',
  invoice: 'inv',
  delivery: 'dlv',
  charge: 'chg',
  webhook_endpoint: 'we',
  key: 'key',
  grant: 'grant',
  agreement: 'baa',
} as const

export type Noun = keyof typeof prefixes
export type Prefix = (typeof prefixes)[Noun]

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** The pattern of an id: a 128-bit value in lowercase Crockford base32 behind its prefix. */
export const idPattern = (prefix: Prefix) => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

const patterns = new Map<string, RegExp>()

/** Whether a text has the form of an id with this prefix. It says nothing of existence. */
export function isId(prefix: Prefix, text: string): boolean {
  let pattern = patterns.get(prefix)
  if (!pattern) patterns.set(prefix, (pattern = new RegExp(idPattern(prefix))))
  return pattern.test(text)
}

/** Ten Crockford characters of a moment: the sortable half of an id. No id is older than 1970, so a
 *  moment before it sorts as 1970 does: before every id. */
export function momentOf(milliseconds: number): string {
  let text = ''
  for (let rest = Math.max(0, milliseconds), place = 0; place < 10; place++) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Sixteen Crockford characters from 16 random bytes: the unguessable half of an id (80 bits). */
export function randomHalf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes.subarray(0, 16)) text += alphabet.charAt(byte % 32)
  return text
}

/** The greatest id that a row of this millisecond could have: the bound of "strictly after". */
export const lastIdOf = (prefix: Prefix, milliseconds: number) =>
  `${prefix}_${momentOf(milliseconds)}${'z'.repeat(16)}`

/** An id of a row that no stream numbers: a request, a key, an integration. */
export const idFrom = (noun: Noun, milliseconds: number, bytes: Uint8Array) =>
  `${prefixes[noun]}_${momentOf(milliseconds)}${randomHalf(bytes)}`
