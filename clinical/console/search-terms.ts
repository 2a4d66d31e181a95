// A person's search for a patient: an ID, or a name with other identifying details.

import { formats } from '#contract/api/text-formats.ts'
import { isId, type Noun, prefixes } from '#contract/ids.ts'

const findable = ['patient', 'case', 'prescription', 'order', 'visit'] as const

export type FoundId = { readonly type: (typeof findable)[number] & Noun; readonly id: string }

/** Returns the number on a label, such as K3QM-92XT: the last characters of an order's or
 *  prescription's ID. */
export const numberIn = (text: string): string | null =>
  /^([0-9a-hjkmnp-tv-z]{4})-?([0-9a-hjkmnp-tv-z]{4})$/
    .exec(text.trim().toLowerCase())
    ?.slice(1)
    .join('') ?? null

export type SearchTerms = {
  readonly name: string
  /** Dates of birth, such as 1979-06-02; a two-digit year gives two dates. */
  readonly born: readonly string[]
  readonly email: string | null
  /** A phone number's digits, matched from the end. */
  readonly digits: string | null
  /** The whole text, which may be an integration's external ID. */
  readonly externalId: string | null
}

export function foundIdOf(text: string): FoundId | null {
  const id = text.trim().toLowerCase()
  const type = findable.find(noun => isId(prefixes[noun], id))
  return type === undefined ? null : { type, id }
}

/** `today` keeps a two-digit year from being read as a year in the future. */
export function termsOf(text: string, today: string): SearchTerms {
  const whole = text.replaceAll(/\p{Cc}+/gu, ' ').trim()
  const [born, afterDay] = dayIn(whole, today)
  const email = /\S+@\S*/.exec(afterDay)?.[0] ?? null
  const afterEmail = email === null ? afterDay : afterDay.replace(email, ' ')
  const [digits, name] = phoneIn(afterEmail)
  return { name: name.trim(), born, email, digits, externalId: whole === '' ? null : whole }
}

/** Finds a phone number in any common format, with at least seven digits. */
function phoneIn(text: string): readonly [string | null, string] {
  const found = /(?:^|\s)(\+?[(]?\d[\d().\s+-]{5,}\d)(?=\s|$)/.exec(text)?.[1]
  const digits = found?.replaceAll(/\D/g, '') ?? ''
  if (found === undefined || digits.length < 7 || digits.length > 15) return [null, text]
  // Drops the country code: matching from the end finds numbers stored with or without it.
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
  return [national, text.replace(found, ' ')]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName = `(?:${months.join('|')})[a-z]*\\.?`

type Parts = { y: string; m: string; d: string }

/** Date formats, American first. */
const dayForms: readonly RegExp[] = [
  /(?<y>\d{4})-(?<m>\d{1,2})-(?<d>\d{1,2})/,
  /(?<m>\d{1,2})([/.-])(?<d>\d{1,2})\2(?<y>\d{4}|\d{2})/,
  /(?<m>\d{2})(?<d>\d{2})(?<y>(?:19|20)\d{2})/,
  /(?<y>(?:19|20)\d{2})(?<m>\d{2})(?<d>\d{2})/,
  new RegExp(`(?<m>${monthName}) (?<d>\\d{1,2})(?:st|nd|rd|th)?,? (?<y>\\d{4})`, 'i'),
  new RegExp(`(?<d>\\d{1,2})(?:st|nd|rd|th)? (?<m>${monthName}),? (?<y>\\d{4})`, 'i'),
]

/** Returns the dates in a text, and the text without them. */
function dayIn(text: string, today: string): readonly [readonly string[], string] {
  for (const form of dayForms) {
    const found = new RegExp(`(?<=^|\\s)${form.source}(?=[\\s,]|$)`, form.flags).exec(text)
    if (found?.groups === undefined) continue
    const days = daysOf(found.groups as Parts, today)
    if (days.length > 0) return [days, text.replace(found[0], ' ')]
  }
  return [[], text]
}

function daysOf({ y, m, d }: Parts, today: string): string[] {
  const named = months.indexOf(m.slice(0, 3).toLowerCase()) + 1
  const month = named > 0 ? named : Number(m)
  const years = y.length === 4 ? [Number(y)] : [1900 + Number(y), 2000 + Number(y)]
  const two = (number: number) => String(number).padStart(2, '0')
  return years
    .map(year => `${year}-${two(month)}-${two(Number(d))}`)
    .filter(day => formats['date']?.(day) != null && day <= today)
}
