// The provider that needs nobody else: the gateways are the server. The dispatcher tells all of
// them through the database which tenants have something new; a gateway that has subscribers there
// reads it (hub.ts).

import { type Mode, modes } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import type { Realtime } from './realtime.ts'
import { type Bearer, bearerOf, signToken, type SigningKey } from './token.ts'

/** The channel of the database on which the gateways of a plane hear of new events. */
export const earOf = (mode: Mode): string => `realtime_${mode}`

/** A notification is shorter than 8,000 bytes, and one line of it than 120. */
const linesMax = 60

export type Embedded = Realtime & { bearerOf(token: string): Promise<Bearer | null> }

/** Every gateway of a house derives the same keys, one a plane. */
export function embeddedRealtime(pepper: string): Embedded {
  const keyOf = (mode: Mode): SigningKey => ({
    id: mode,
    secret: new Bun.CryptoHasher('sha256', pepper).update(`realtime tokens of ${mode}`).digest(),
  })
  const keys = new Map(modes.map(mode => [mode as string, keyOf(mode)]))
  return {
    name: 'embedded',
    mint: (mode, grant) => signToken(keyOf(mode), grant),
    bearerOf: token => bearerOf(token, id => keys.get(id)),
    announce: mode => sql`
    announced as materialized (
      select pg_notify(${earOf(mode)}, string_agg(line, E'\n' order by line)) from (
        select t.tenant || ' ' || max(t.event collate "C") || ' ' || s.integration || ' '
                 || s.organization as line,
               (row_number() over (order by t.tenant) - 1) / ${linesMax}::int as part
          from taken t
          join tenants s on s.id = t.tenant and s.retired_at is null and s.organization is not null
         group by t.tenant, s.integration, s.organization) told
       group by part
    )`,
    jobs: [],
  }
}

/** What one line of a notification says. */
export type Told = { tenant: string; event: string; integration: string; organization: string }

export const toldIn = (payload: string): Told[] =>
  payload.split('\n').flatMap(line => {
    const [tenant = '', event = '', integration = '', organization] = line.split(' ')
    return organization === undefined ? [] : [{ tenant, event, integration, organization }]
  })
