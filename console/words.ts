// Names for codes in the table and the states.
import type { StaffRole } from '#contract/console/row.ts'
import { statusText } from '#http/html/status-text.ts'
import { notFound } from '#http/pages/failures.tsx'

export const notHere = notFound(
  'If it’s correct, ask the clinic’s administrators whether you have access.',
  {
    href: '/',
    label: 'Your clinic',
  },
)

/** The page for a person who recovered an account without a second factor. */
export const unconfirmed = ({ name }: { readonly name: string }) => ({
  status: 403 as const,
  title: 'An administrator has to confirm it’s you',
  text: `Your account was recovered without a second factor, so you can’t open anything at ${name} yet. We emailed its administrators: ask one of them to confirm you under Staff.`,
})

const roleNames: Readonly<Record<StaffRole, string>> = {
  admin: 'administrator',
  clinician: 'clinician',
  nurse: 'nurse',
  pharmacy: 'pharmacy',
  records: 'records',
  auditor: 'auditor',
}

const list = new Intl.ListFormat('en-US', { type: 'conjunction' })
const choice = new Intl.ListFormat('en-US', { type: 'disjunction' })

export const rolesText = (roles: readonly StaffRole[]): string =>
  list.format(roles.map(role => roleNames[role]))

export const anyRoleText = (roles: readonly StaffRole[]): string =>
  choice.format(roles.map(role => roleNames[role]))

/** `case.question_asked.v1` as "Question asked". */
export const eventText = (type: string): string => statusText(type.split('.')[1] ?? type)

const kilobyte = 1024

/** Formats a size on one line. */
export const sizeText = (bytes: number | null): string =>
  `${Math.ceil((bytes ?? 0) / kilobyte).toLocaleString('en-US')}\u00a0KB`
