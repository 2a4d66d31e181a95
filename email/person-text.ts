// Text shared by emails to people.
import type { MailLinks } from './links.ts'
import { type Line, unlinked } from './prose.ts'

export type To = { readonly email: string }

type PersonText = {
  readonly subject: string
  /** A sentence with the reason for the email, then facts and links. */
  readonly lines: readonly Line[]
  /** A link to the page that the email is about. Absent if the email is about no page. */
  readonly button?: { readonly label: string; readonly href: string }
  /** The reason, after “You’re getting this because”. */
  readonly because: string
}

export type TextsOf<Facts> = {
  readonly [K in keyof Facts]: (facts: Facts[K], links: MailLinks) => PersonText
}

const nameMax = 100

/** Quotes a name that others chose. */
export const quoted = (name: string): string =>
  `“${unlinked(name.replaceAll(/\s+/g, ' ').slice(0, nameMax))}”`

const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})
export const moment = (iso: string): string => `${format.format(new Date(iso))} UTC`
