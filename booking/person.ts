// Who is asking, read from what a protocol was told: every fault at once, or one clean person.
import { domainToASCII } from 'node:url'
import type { Buyer, Fault, Field } from './booking-service.ts'

export type Person = {
  /** Under which one and the same person is known again: the address, normalised. */
  readonly person: string
  /** As it was given: where mail goes. */
  readonly email: string
  readonly firstName: string
  readonly lastName: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly note: string | null
  /** At a domain that RFC 2606 or RFC 6761 keeps for tests: nobody reads mail there. */
  readonly isReserved: boolean
}

/** The longest that is taken, in characters. */
export const lengths = {
  first_name: 80,
  last_name: 80,
  email: 254,
  phone: 16,
  company: 120,
  note: 1000,
} as const

type Texts = Readonly<Partial<Record<keyof typeof lengths, string>>>

export function readPerson(buyer: Buyer, note?: string): Person | Fault[] {
  const texts = cleaned({
    first_name: buyer.firstName,
    last_name: buyer.lastName,
    email: buyer.email,
    phone: buyer.phone,
    company: buyer.company,
    note,
  })
  const address = addressOf(texts.email ?? '')
  const faults = faultsOf(texts, address)
  if (faults.length > 0 || address === null) return faults
  return {
    person: address.normalised,
    email: texts.email ?? '',
    firstName: texts.first_name ?? '',
    lastName: texts.last_name ?? null,
    phone: texts.phone ?? null,
    company: texts.company ?? null,
    note: texts.note ?? null,
    isReserved: isReserved(address.domain),
  }
}

/** Without what cannot be seen, and absent when nothing is left. */
function cleaned(given: Readonly<Record<keyof typeof lengths, string | undefined>>): Texts {
  const texts: Partial<Record<keyof typeof lengths, string>> = {}
  for (const name of Object.keys(lengths) as (keyof typeof lengths)[]) {
    // A note may have lines; everything else is one.
    const unseen = name === 'note' ? /[^\P{Cc}\n]|\p{Cf}(?!\p{L})/gu : /[\p{Cc}\p{Zl}\p{Zp}]+/gu
    const text = (given[name] ?? '').normalize('NFC').replace(unseen, ' ').trim()
    if (text !== '') texts[name] = text
  }
  return texts
}

function faultsOf(texts: Texts, address: Address | null): Fault[] {
  const faults: Fault[] = []
  const say = (field: Field, code: Fault['code'], detail: string) =>
    void faults.push({ field, code, detail })
  for (const name of Object.keys(lengths) as (keyof typeof lengths)[]) {
    const length = [...(texts[name] ?? '')].length
    if (length > lengths[name]) {
      say(name, 'too_long', `It has ${length} characters; at most ${lengths[name]} are kept.`)
    }
  }
  if (texts.first_name === undefined) say('first_name', 'required', 'A first name is needed.')
  else if (!isName(texts.first_name)) say('first_name', 'invalid', 'This does not read as a name.')
  if (texts.last_name !== undefined && !isName(texts.last_name)) {
    say('last_name', 'invalid', 'This does not read as a name.')
  }
  if (texts.email === undefined) say('email', 'required', 'An email address is needed.')
  else if (address === null) {
    say('email', 'invalid', 'This is not an email address, such as name@company.com.')
  }
  if (texts.phone !== undefined && !/^\+[1-9]\d{6,14}$/.test(texts.phone)) {
    say('phone', 'invalid', 'Write it with its country, such as +12025550123.')
  }
  const seen = new Set<Field>()
  return faults.filter(({ field }) => !seen.has(field) && seen.add(field))
}

/**
 * It has a letter and is no address or link: whoever books can have a mail sent to somebody else,
 * and the name in it is all that they choose of its words.
 */
const isName = (text: string): boolean =>
  /\p{L}/u.test(text) && !/[@<>{}[\]\\|/]|:\/|www\.|\.\p{L}{2,}(\s|$)/iu.test(text)

type Address = { readonly normalised: string; readonly domain: string }

/** Null for what is no address, or one that some server on the way would refuse to write. */
function addressOf(email: string): Address | null {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  // A letter of another alphabet is written as every mail server writes it.
  const domain = domainToASCII(email.slice(at + 1)).toLowerCase()
  if (at < 1 || !/^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(local)) return null
  const labels = domain.split('.')
  if (local.length > 64 || domain.length > 253 || !labels.every(isLabel)) return null
  if (/^\d+$/.test(labels.at(-1) ?? '')) return null
  return labels.length > 1 || isReserved(domain)
    ? { normalised: `${local.toLowerCase()}@${domain}`, domain }
    : null
}

const isLabel = (label: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)

const reservedNames = ['test', 'example', 'invalid', 'localhost'].concat(
  ['com', 'net', 'org'].map(top => `example.${top}`),
)

/** RFC 2606 and RFC 6761: these names and everything below them. */
const isReserved = (domain: string): boolean =>
  reservedNames.some(name => domain === name || domain.endsWith(`.${name}`))
