// The decision of a person about a device (RFC 8628, 3.3), for the page where the code is typed.
// The library's own pages were tried: their hooks userCodeInputSource and userCodeConfirmSource
// know no person, so a code could not belong to the first who opens it; the confirmation marks the
// code as used before the person has decided; and wrong codes are not counted.

import { idFrom } from '#contract/ids.ts'
import { type Audience, intersect } from '#contract/scopes.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type AuditedCall, insertAuditRow } from '../audit.ts'
import {
  audiencesOf,
  auditedFamily,
  type ConsentRequest,
  type Decision,
  familyParts,
  outcomeOf,
  type Unfit,
} from './consents.ts'
import { type Resources, scopesOf } from '../tokens/families.ts'
import { normalizedUserCode, type Secrets } from '../secrets.ts'

export type DeviceRequest = ConsentRequest & {
  readonly requestedAt: string
  /** Where the request came from: a person who did not start it should notice. */
  readonly address: string | null
  readonly agent: string | null
}

export type Devices = ReturnType<typeof createDevices>

type Parts = { pool: ConnectionPool; secrets: Secrets; resources: Resources }

type OpenRow = Row & {
  client: string
  clientName: string
  registeredAt: string
  requestedAt: string
  payload: {
    scope?: string
    resource?: unknown
    deviceInfo?: { address?: string | null; agent?: string | null }
  }
}

export function createDevices({ pool, secrets, resources }: Parts) {
  const hashesOf = (userCode: string): Statement | null => {
    const code = normalizedUserCode(userCode)
    return code === null ? null : secrets.hashes(`user code ${code}`)
  }

  /** What the code asks for. The first person who opens it owns it; to others it does not exist. */
  async function open(userCode: string, person: string): Promise<DeviceRequest | null> {
    const hashes = hashesOf(userCode)
    if (hashes === null) return null
    const row = await pool.use(connection => openCode(connection, hashes, person))
    if (row === undefined) return null
    const { payload, ...shown } = row
    return {
      ...shown,
      scopes: intersect(scopesOf(payload.scope), scopesOf(payload.scope)),
      audience: audiencesOf(resources, payload.resource),
      address: payload.deviceInfo?.address ?? null,
      agent: payload.deviceInfo?.agent ?? null,
    }
  }

  return {
    open,
    /** Approves the request as a whole, for one integration. */
    async approve(
      userCode: string,
      call: AuditedCall,
      decision: Decision,
    ): Promise<'approved' | Unfit> {
      const hashes = hashesOf(userCode)
      const asked = await open(userCode, decision.person)
      if (asked === null || hashes === null) return 'gone'
      return pool.use(connection =>
        approveCode(connection, call, hashes, { ...asked, ...decision }),
      )
    },
    async deny(userCode: string, call: AuditedCall, person: string): Promise<'denied' | 'gone'> {
      const hashes = hashesOf(userCode)
      if (hashes === null) return 'gone'
      const isDenied = await pool.use(connection => denyCode(connection, call, hashes, person))
      return isDenied ? 'denied' : 'gone'
    },
  }
}

const isOpen = sql`a.family is null and a.denied_at is null and a.expires_at > now()`

async function openCode(connection: Connection, hashes: Statement, person: string) {
  const [row] = await connection.run<OpenRow>(sql`
    update auth.artifacts a set person = ${person}
      from auth.clients c
     where a.user_code = any (${hashes}) and ${isOpen} and (a.person is null or a.person = ${person})
       and c.id = a.client and c.revoked_at is null
    returning c.id as client, c.name as "clientName", iso(c.created_at) as "registeredAt",
              iso(a.created_at) as "requestedAt", a.payload`)
  return row
}

type Approval = DeviceRequest & Decision & { audience: readonly Audience[] }

async function approveCode(
  connection: Connection,
  call: AuditedCall,
  hashes: Statement,
  { client, scopes, audience, person, integration }: Approval,
): Promise<'approved' | Unfit> {
  const id = idFrom('token_family', now(), randomBytes(16))
  const family = { id, client, scopes, audience, person, integration }
  const [row] = await connection.run<Row & { role: null; made: boolean; is_open: boolean }>(sql`
    with open as materialized (
      select a.hash from auth.artifacts a
       where a.user_code = any (${hashes}) and a.person = ${person} and ${isOpen} for update
    ), ${familyParts('device', family, sql`exists (select from open)`)},
    approved as (
      update auth.artifacts a set family = f.id from family f
       where a.hash = (select hash from open)
    ), ${auditedFamily(call, 'oauth.device')}
    select (select role from member) as role, exists (select from family) as made,
           exists (select from open) as is_open`)
  return row?.is_open === true ? outcomeOf(row) : 'gone'
}

async function denyCode(
  connection: Connection,
  call: AuditedCall,
  hashes: Statement,
  person: string,
): Promise<boolean> {
  const [row] = await connection.run<Row & { is_denied: boolean }>(sql`
    with denied as (
      update auth.artifacts a set denied_at = clock_timestamp()
       where a.user_code = any (${hashes}) and a.person = ${person} and ${isOpen}
      returning a.client
    ), audited as (
      ${insertAuditRow(
        call,
        { action: 'oauth.device', outcome: 'refused', status: 403, code: 'access_denied' },
        sql`select null::text, null::text, null::text, client, ${person}::text, null::text from denied`,
      )}
    )
    select exists (select from denied) as is_denied`)
  return row?.is_denied ?? false
}
