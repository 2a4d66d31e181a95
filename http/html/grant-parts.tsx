// Parts of a grant that the portal and the console show.
import { Badge, Time } from './parts.tsx'
import { statusText } from './status-text.ts'

export const grantTones = {
  pending: 'waiting',
  active: 'good',
  declined: 'bad',
  revoked: 'bad',
  withdrawn: 'plain',
  lapsed: 'plain',
} as const

export const GrantBadge = ({ status }: { status: keyof typeof grantTones }) => (
  <Badge tone={grantTones[status]}>{statusText(status)}</Badge>
)

/** A row for `Facts`, unless it never happened. */
export const timeFact = (name: string, at: string | null) =>
  at === null ? [] : [[name, <Time at={at} />] as const]

/** A row for `Facts`, unless nobody wrote the text. */
export const textFact = (name: string, text: string | null) =>
  text === null ? [] : [[name, <span class="lines">{text}</span>] as const]
