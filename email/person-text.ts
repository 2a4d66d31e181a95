// Text shared by emails to people.
import company from '#content/site.config.ts'
import { momentText } from '#http/html/times.ts'
import type { MailLinks } from './links.ts'
import { type Line, unlinked } from './prose.ts'

export type To = {
  readonly email: string
  /** The recipient's time zone or, if they haven't chosen one, their clinic's. */
  readonly zone?: string
}

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

/** A time in the recipient's zone. Most recipients haven't chosen one and get the company's. */
export const moment = (iso: string, { zone = company.booking.timeZone }: To): string =>
  momentText(iso, zone)

const roleName = (role: string): string =>
  role === 'admin' ? 'Administrator' : role.charAt(0).toUpperCase() + role.slice(1)

/** `Role: Developer.` or `Roles: Clinician, Administrator.` */
export const rolesText = (roles: readonly string[]): string =>
  `${roles.length === 1 ? 'Role' : 'Roles'}: ${roles.map(roleName).join(', ')}.`
