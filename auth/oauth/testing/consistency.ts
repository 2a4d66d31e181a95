// Rules that hold no matter when a server is killed: a used value, its tokens and its audit rows
// are stored together or not at all.

import { sql } from '#database/sql.ts'
import type { Fixture } from './fixture.ts'

async function countsOf({ run }: Pick<Fixture, 'run'>): Promise<Record<string, number>> {
  const [row] = await run<Record<string, number>>(sql`
    with audited as (
      select action, target, client, count(*)::int as rows from audit.entries
       where surface = 'oauth' and outcome = 'ok' group by action, target, client
    ), counted as (
      select f.id,
             (select count(*) from auth.credentials k where k.family = f.id) as tokens,
             (select count(*) from auth.artifacts a where a.family = f.id
                 and a.kind in ('code', 'refresh', 'device')
                 and a.consumed_at is not null) as used,
             (select count(*) from auth.artifacts a where a.family = f.id
                 and a.kind = 'refresh') as refresh
        from auth.token_families f where f.kind <> 'client'
    )
    select (select count(*)::int from auth.credentials
             where kind <> 'key' and family is null) as "token without a family",
           (select count(*)::int from auth.credentials k where k.family is not null
               and not exists (select from audited a
                                where a.action = 'oauth.token' and a.target = k.id)
           ) as "token without its audit row",
           (select count(*)::int from audited a where a.action = 'oauth.token'
               and not exists (select from auth.credentials k where k.id = a.target)
           ) as "audit row without its token",
           (select count(*)::int from auth.token_families f where f.kind <> 'client'
               and not exists (select from audited a where a.target = f.id
                                  and a.action in ('oauth.consent', 'oauth.device'))
           ) as "family without the audit row of its consent",
           (select count(*)::int from audited a
             where a.action in ('oauth.consent', 'oauth.device')
               and not exists (select from auth.token_families f where f.id = a.target)
           ) as "consent without its family",
           (select count(*)::int from counted where used > tokens) as "used without a token",
           (select count(*)::int from counted where tokens > 0 and used = 0) as "token of nothing",
           (select count(*)::int from counted where refresh <> used) as "used without a successor",
           (select count(*)::int from auth.clients c where c.kind = 'registered'
               and not exists (select from audited a
                                where a.action = 'oauth.register' and a.target = c.id)
           ) as "registration without its audit row",
           (select count(*)::int from audited a where a.action = 'oauth.register'
               and not exists (select from auth.clients c where c.id = a.target)
           ) as "audit row without its registration"`)
  return row ?? {}
}

/** The broken rules, each with the number of rows that break it. */
export async function brokenRules(fixture: Pick<Fixture, 'run'>): Promise<string[]> {
  const all = Object.entries(await countsOf(fixture))
  return all.filter(([, count]) => count > 0).map(([rule, count]) => `${count} ${rule}`)
}
