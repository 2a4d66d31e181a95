// The parts of an email's text.
import company from '#content/site.config.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import type { CallLinks } from './links.ts'
import { dayText, timeInZone } from '#http/html/times.ts'
import type { EmailFacts, EmailKind } from './message.ts'

/** A link; the main one is shown as a button. */
type Link = { readonly label: string; readonly href: string; readonly isMain?: true }
/** A time, the largest element in the email, with its day and a note below. */
type Moment = { readonly time: string; readonly day: string; readonly note: string }
type Rows = { readonly rows: readonly (readonly [name: string, value: string])[] }

export type Line = string | Link | Moment | Rows

export type Prose = {
  readonly subject: string
  /** The subject in a few words. */
  readonly heading: string
  readonly lines: readonly Line[]
  /** The footer: smaller, below a rule. */
  readonly foot: readonly string[]
}

export type EmailInput = {
  readonly id: string
  readonly kind: EmailKind
  readonly facts: EmailFacts
  readonly links: CallLinks
}

export const momentLine = (slot: Slot, timeZone: string): Moment => ({
  time: timeInZone(slot.start, timeZone),
  day: dayText(slot.start, timeZone),
  note: `${company.booking.minutes} minutes. ${company.booking.place}`,
})

/** Inserts invisible joiners into text that others chose, so email clients don't turn it into
 *  links. */
export const unlinked = (text: string): string =>
  text.replaceAll(/(?<=[:.。．｡])(?=[/\\\p{L}])/gu, '\u2060')

/**
 * Text for a header or calendar, on one line and in one direction. Without `=?`, the text can't
 * contain an encoded word (RFC 2047), which an email client would decode.
 */
export const headerText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').replaceAll('=?', '= ?')
