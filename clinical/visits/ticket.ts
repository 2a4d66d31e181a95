// A join link's payload: the visit, its patient and the expiration. It isn't stored.

import { sql } from '#database/sql.ts'
import type { TokenPayload } from '../tokens.ts'

export type Ticket = Extract<TokenPayload, { kind: 'join' }>

/** The path of the waiting room; an encrypted ticket follows it. */
export const waitingRoomPath = '/visits/join'

export type TenantRow = {
  integration: string
  organization: string
  clinic: string
  /** How far the tenant's clock is ahead of real time, in milliseconds. */
  ahead: number
}

/** Sets the connection to the ticket's tenant; returns no row if a reset has retired the tenant. */
export const openTenant = (tenant: string) => sql`
  select s.integration, s.organization, o.name as clinic, s.ahead_ms::float8 as ahead,
         set_config('app.tenant', s.id::text, false) as opened
    from tenants s join auth.organizations o on o.id = s.organization
   where s.id = ${tenant}::bigint and s.retired_at is null`
