// Validates and normalizes a person's details; returns either all invalid fields or the person.
import { domainToASCII } from 'node:url'
import type { Contact } from '#email/message.ts'
import type { Buyer, Fault, Field } from './booking-service.ts'

export type Person = Contact & {
  /** Identifies the person: the normalized address, without the tag after a plus sign. */
  readonly person: string
  /** True for a domain that RFC 2606 or RFC 6761 reserves, where nobody reads email. */
  readonly isReserved: boolean
}

/** Maximum lengths in characters. */
export const lengths = {
  first_name: 80,
  last_name: 80,
  email: 254,
  phone: 16,
  company: 120,
  note: 1000,
} as const
const names = Object.keys(lengths) as (keyof typeof lengths)[]

const aName = 'must be a name, without an address or a link.'

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
    person: address.normalized,
    email: texts.email ?? '',
    firstName: texts.first_name ?? '',
    lastName: texts.last_name ?? null,
    phone: texts.phone ?? null,
    company: texts.company ?? null,
    note: texts.note ?? null,
    isReserved: isReserved(address.domain),
  }
}

/** A note may have several lines; every other field has one line, in one direction. */
const hiddenInNotes = /[^\P{Cc}\n]|\p{Cf}(?!\p{L})/gu
const hiddenInLines = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** Removes invisible characters, and drops text that ends up empty. */
function cleaned(sent: Readonly<Record<keyof typeof lengths, string | undefined>>): Texts {
  const texts: Partial<Record<keyof typeof lengths, string>> = {}
  for (const name of names) {
    const hidden = name === 'note' ? hiddenInNotes : hiddenInLines
    const text = (sent[name] ?? '').normalize('NFC').replace(hidden, ' ').trim()
    if (text !== '') texts[name] = text
  }
  return texts
}

function faultsOf(texts: Texts, address: Address | null): Fault[] {
  const faults: Fault[] = []
  const add = (field: Field, code: Fault['code'], detail: string) =>
    void faults.push({ field, code, detail })
  for (const name of names) {
    const text = texts[name] ?? ''
    // A character takes one or two UTF-16 units.
    if (text.length > lengths[name] && [...text].length > lengths[name]) {
      add(name, 'too_long', `must have at most ${lengths[name]} characters.`)
    }
  }
  if (texts.first_name === undefined) add('first_name', 'required', 'must be present.')
  else if (!isName(texts.first_name)) add('first_name', 'invalid', aName)
  if (texts.last_name !== undefined && !isName(texts.last_name)) {
    add('last_name', 'invalid', aName)
  }
  if (texts.email === undefined) add('email', 'required', 'must be present.')
  else if (address === null) {
    add('email', 'invalid', 'must be a valid email address, such as ada@example.com.')
  }
  if (texts.phone !== undefined && !/^\+[1-9]\d{6,14}$/.test(texts.phone)) {
    add('phone', 'invalid', 'must be a phone number in E.164 form, such as +12025550100.')
  }
  const seen = new Set<Field>()
  return faults.filter(({ field }) => !seen.has(field) && seen.add(field))
}

/**
 * A name contains a letter and isn't an address, a link or an encoded word (RFC 2047). Callers can
 * have an email sent to another person, and the name is the only text in that email that callers
 * choose.
 */
const isName = (text: string): boolean =>
  /\p{L}/u.test(text) && !/[@<>{}[\]\\|/]|=\?|[wW]{3}\.|[.。．｡]\p{L}{2}/u.test(text)

type Address = { readonly normalized: string; readonly domain: string }

/** Returns null if the text isn't an address, or if some mail servers would refuse it. */
function addressOf(email: string): Address | null {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const domain = domainOf(email)
  if (at < 1 || !/^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(local)) return null
  if (local.includes('=?')) return null
  const labels = domain.split('.')
  if (local.length > 64 || domain.length > 253 || !labels.every(isLabel)) return null
  if (/^\d+$/.test(labels.at(-1) ?? '')) return null
  return labels.length > 1 || isReserved(domain)
    ? { normalized: `${local.toLowerCase().replace(/(?<=.)\+.*/, '')}@${domain}`, domain }
    : null
}

/** An internationalized domain is converted to its ASCII form, which mail servers use. */
const domainOf = (email: string): string =>
  domainToASCII(email.slice(email.lastIndexOf('@') + 1)).toLowerCase()

const isLabel = (label: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)

/** Whether a booking for this address is a dry run, which stores nothing. */
export const isReservedEmail = (email: unknown): boolean =>
  typeof email === 'string' && isReserved(domainOf(email.normalize('NFC').trim()))

/** RFC 2606 and RFC 6761 reserve these names and everything below them. */
const reserved = /(?:^|\.)(?:test|example|invalid|localhost|example\.(?:com|net|org))$/
const isReserved = (domain: string): boolean => reserved.test(domain)
