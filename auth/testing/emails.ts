// Emails queued for people, with the links that the mailer would add.
import { sql } from '#database/sql.ts'
import type { PersonLink } from '#email/links.ts'
import { openPersonLinks } from '../accounts/links.ts'
import { peppers, type TestPeople } from './people.ts'

export type QueuedEmail = { kind: string; facts: Record<string, string> }

/** Oldest first. */
export async function emailsTo(people: TestPeople, address: string): Promise<QueuedEmail[]> {
  const rows = await people.run<QueuedEmail>(sql`
    select kind, facts from site.emails
     where audience = 'person' and
           public.normalized_email(facts ->> 'email') = public.normalized_email(${address})
     order by id`)
  return [...rows]
}

const facts = {
  sign_up: 'sign_up',
  invitation: 'invitation',
  recovery: 'recovery',
  cancel_recovery: 'recovery',
} as const satisfies Record<PersonLink, string>

/** The path of the newest link of this kind sent to the address. */
export async function linkTo(
  people: TestPeople,
  address: string,
  what: PersonLink,
): Promise<string> {
  const emails = await emailsTo(people, address)
  const id = emails.map(email => email.facts[facts[what]]).findLast(Boolean)
  if (id === undefined) throw new Error(`No link was sent to ${address}.`)
  return openPersonLinks('', peppers).to(what, id)
}
