// What the emails to people share.
import { type Line, unlinked } from './prose.ts'

export type To = { readonly email: string }
export type PersonText = { readonly subject: string; readonly lines: Line[] }

const nameMax = 100

/** A name that others chose. */
export const quoted = (name: string): string =>
  `“${unlinked(name.replaceAll(/\s+/g, ' ').slice(0, nameMax))}”`

const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})
export const moment = (iso: string): string => `${format.format(new Date(iso))} UTC`
