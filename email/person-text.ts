// Text that emails to people share.
import type { MailLinks } from './links.ts'
import { type Line, unlinked } from './prose.ts'

export type To = { readonly email: string }

type PersonText = {
  readonly subject: string
  /** A sentence that says why it was sent, then facts and links. */
  readonly lines: readonly Line[]
  /** The page that the email is about. Absent: no page to open. */
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
