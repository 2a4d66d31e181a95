// Who may use a link to a visit: the first browser to pass its entrance. In live mode, the entrance
// of a patient's link asks for the date of birth, so a forwarded link lets no one else in; every
// other link is bound to the browser that opens it. The database decides between two browsers, and
// counts wrong dates.

import { type AuditedCall, type Caller, insertAuditRows } from '#auth/audit.ts'
import { limits } from '#contract/limits.ts'
import { sql, type Statement } from '#database/sql.ts'
import { asksForBirthDate } from '../modes.ts'
import type { Ticket } from '../visits/ticket.ts'
import { digestOf, type Visitor } from '../rooms/visit-cookie.ts'

export const asksAtEntrance = ({ mode, seat }: Ticket) =>
  asksForBirthDate(mode) && seat === undefined

/** An opened link: its ticket, and the digest that it's stored under. */
export type Link = { readonly ticket: Ticket; readonly digest: string }
export const linkOf = (ticket: Ticket, written: string): Link => ({
  ticket,
  digest: digestOf(written),
})

export type Entrance = { is_own: boolean; is_taken: boolean; tries: number }

/** Returns no row for a link that hasn't been used yet. */
export const readEntrance = ({ ticket, digest }: Link, visitor: Visitor | null): Statement => sql`
  select coalesce(browser = ${visitor?.digest ?? null}::text, false) as is_own,
         browser is not null as is_taken, tries
    from visit_entrances where tenant = ${ticket.tenant}::bigint and link = ${digest}`

const linked = ({ ticket }: Link) => sql`
  v.tenant = ${ticket.tenant}::bigint and v.id = ${ticket.visit} and v.patient = ${ticket.patient}`

/** Binds the link to the browser; returns no row if another browser was first or there's no visit.
 */
export const bindLink = (link: Link, { digest }: Visitor): Statement => sql`
  insert into visit_entrances as e (tenant, link, browser)
  select v.tenant, ${link.digest}, ${digest} from visits v where ${linked(link)}
  on conflict (tenant, link) do update set browser = excluded.browser where e.browser is null
  returning e.link`

/** Binds the link if the date is right, and otherwise counts the try; returns no row if it's
 *  already bound or has no tries left. */
export const tryDate = (
  link: Link,
  { digest }: Visitor,
  date: string,
  caller: Caller,
  audited: AuditedCall,
): Statement => sql`
  with tried as (
    insert into visit_entrances as e (tenant, link, tries, browser)
    select v.tenant, ${link.digest}, (p.date_of_birth is distinct from ${date}::date)::int,
           case when p.date_of_birth = ${date}::date then ${digest} end
      from visits v join patients p on p.tenant = v.tenant and p.id = v.patient
     where ${linked(link)}
    on conflict (tenant, link)
    do update set tries = e.tries + excluded.tries, browser = excluded.browser
     where e.browser is null and e.tries < ${limits.joinTriesMax}::int
    returning e.browser is not null as is_bound
  ), audited as (${insertAuditRows(
    caller,
    audited,
    sql`select null::text, case when is_bound then 'ok' else 'refused' end,
               case when is_bound then 200 else 403 end::int2,
               case when not is_bound then 'wrong_date_of_birth' end
          from tried
        union all
        select null::text, 'refused', 403::int2, 'link_closed' where not exists (select from tried)`,
  )})
  select is_bound from tried`
