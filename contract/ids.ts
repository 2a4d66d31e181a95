// Every ID the API publishes: a prefix, `_`, ten Crockford characters for a millisecond and sixteen
// random ones, all lowercase. Within one tenant, IDs sort in commit order.

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
  bulk_export: 'bulk',
  bulk_file: 'part',
  invoice: 'inv',
  delivery: 'dlv',
  replay: 'rpl',
  charge: 'chg',
  webhook_endpoint: 'we',
  key: 'key',
  grant: 'grant',
  agreement: 'baa',
  person: 'per',
  client: 'cli',
  client_secret: 'cs',
  token: 'tok',
  token_family: 'fam',
  invitation: 'invt',
  sign_up: 'sup',
  recovery: 'rcv',
  calendar: 'cal',
  disclosure: 'dsc',
  hold: 'hold',
  pharmacy: 'phm',
  emergency: 'emg',
  operator_access: 'opa',
  statement: 'stm',
  clinic_text: 'txt',
  note: 'note',
  addendum: 'add',
} as const

export type Noun = keyof typeof prefixes
export type Prefix = (typeof prefixes)[Noun]

/** The digits of Crockford's base 32, in lowercase. */
export const crockford = '0123456789abcdefghjkmnpqrstvwxyz'

/** The base-62 digits used in secrets. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An ID's pattern: a 128-bit value in lowercase Crockford base32 after its prefix. */
export const idPattern = (prefix: Prefix) => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

/** An ID's form in words, for messages and hints. */
export const idForm = (prefix: string) => `${prefix}_ followed by 26 lowercase letters and digits`

const patterns = new Map<string, RegExp>()

/** Whether a text has the form of an ID with this prefix. The resource may not exist. */
export function isId(prefix: Prefix, text: string): boolean {
  let pattern = patterns.get(prefix)
  if (!pattern) patterns.set(prefix, (pattern = new RegExp(idPattern(prefix))))
  return pattern.test(text)
}

let lastMoment = 0
let lastText = '0000000000'

/** Returns ten Crockford characters for a time: the sortable half of an ID. Times before 1970
 *  become 1970, which is before every row. The last result is cached, because thousands of IDs may
 *  be created in one millisecond. */
export function momentOf(milliseconds: number): string {
  const moment = Math.max(0, milliseconds)
  if (moment === lastMoment) return lastText
  let text = ''
  for (let rest = moment, digit = 0; digit < 10; digit++) {
    text = crockford.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  lastMoment = moment
  lastText = text
  return text
}

/** Every pair of characters, so sixteen are assembled in eight steps. */
const pairs = [...crockford].flatMap(one => [...crockford].map(other => one + other))

/** Sixteen Crockford characters from 16 random bytes: the unguessable half of an ID (80 bits). */
export function randomHalf(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < 16; at += 2) {
    text += pairs[(((bytes[at] ?? 0) & 31) << 5) | ((bytes[at + 1] ?? 0) & 31)]
  }
  return text
}

/** The random half after this one, or null after the greatest. */
function halfAfter(half: string): string | null {
  let at = half.length - 1
  while (at >= 0 && half[at] === 'z') at--
  if (at < 0) return null
  const digit = crockford.charAt(crockford.indexOf(half.charAt(at)) + 1)
  return half.slice(0, at) + digit + '0'.repeat(half.length - 1 - at)
}

/** Creates strictly increasing IDs, without prefixes. As in a ULID, another ID in the same
 *  millisecond increments the previous random half, and so does an ID created after the clock went
 *  back. */
export function openIdSequence(now: () => number, random: (count: number) => Uint8Array) {
  let moment = -1
  let half = ''
  return (): string => {
    const current = now()
    const next = current > moment ? null : halfAfter(half)
    if (next === null) moment = Math.max(current, moment + 1)
    half = next ?? randomHalf(random(16))
    return momentOf(moment) + half
  }
}

/** The greatest ID that a row in this millisecond could have: the bound for "strictly after". */
export const lastIdOf = (prefix: Prefix, milliseconds: number) =>
  `${prefix}_${momentOf(milliseconds)}${'z'.repeat(16)}`

/** The smallest ID that a row in this millisecond could have. */
export const firstIdOf = (prefix: Prefix, milliseconds: number) =>
  `${prefix}_${momentOf(milliseconds)}${'0'.repeat(16)}`

export const idOf = (noun: Noun, milliseconds: number, half: string) =>
  `${prefixes[noun]}_${momentOf(milliseconds)}${half}`

/** The time when an ID was created, in milliseconds. */
export function createdAt(id: string): number {
  let milliseconds = 0
  for (const one of id.slice(id.indexOf('_') + 1).slice(0, 10)) {
    milliseconds = milliseconds * 32 + crockford.indexOf(one)
  }
  return milliseconds
}
