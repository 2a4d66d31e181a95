// The embedded provider: gateways serve subscribers. The dispatcher notifies all gateways through
// the database about tenants with new events; a gateway with subscribers to such a tenant reads the
// events (broker.ts).

import { type Mode, modes } from '#contract/operation.ts'
import type { Peppers } from '#auth/pepper.ts'
import { sql } from '#database/sql.ts'
import { type Bearer, verifyToken, signToken, type SigningKey } from './token.ts'
import type { Realtime } from '../services.ts'

/** A mode's NOTIFY channel for gateways. */
export const notifyChannelOf = (mode: Mode): string => `realtime_${mode}`

/** PostgreSQL limits a notification to 8,000 bytes; one line is shorter than 120. */
const linesMax = 60

export type Embedded = Realtime & { bearerOf(token: string): Promise<Bearer | null> }

/** Every gateway derives the same keys from the peppers, one for each mode. The newest pepper's key
 *  signs, and every key verifies. */
export function embeddedRealtime(...[newest, ...older]: Peppers): Embedded {
  const keyOf = (pepper: string, mode: Mode): SigningKey => ({
    id: mode,
    secret: new Bun.CryptoHasher('sha256', pepper).update(`realtime tokens of ${mode}`).digest(),
  })
  const keys = [newest, ...older].flatMap(pepper => modes.map(mode => keyOf(pepper, mode)))
  return {
    name: 'embedded',
    mint: (mode, grant) => signToken(keyOf(newest, mode), grant),
    bearerOf: token => verifyToken(token, keys),
    announce: mode => sql`
    announced as materialized (
      select pg_notify(${notifyChannelOf(mode)}, string_agg(line, E'\n' order by line)) from (
        select t.tenant || ' ' || max(t.event collate "C") || ' ' || t.integration || ' '
                 || t.organization as line,
               (row_number() over (order by t.tenant) - 1) / ${linesMax}::int as part
          from taken t where t.realtime
         group by t.tenant, t.integration, t.organization) lines
       group by part
    )`,
    jobs: [],
  }
}

/** One line in a notification. */
type EventNotification = {
  tenant: string
  event: string
  integration: string
  organization: string
}

export const parseNotification = (payload: string): EventNotification[] =>
  payload.split('\n').flatMap(line => {
    const [tenant = '', event = '', integration = '', organization] = line.split(' ')
    return organization === undefined ? [] : [{ tenant, event, integration, organization }]
  })
