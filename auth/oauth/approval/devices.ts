// A person's decision about a device (RFC 8628, 3.3), for the page where the code is entered. The
// library's own pages don't fit: their hooks userCodeInputSource and userCodeConfirmSource don't
// receive the person, so a code couldn't belong to the first person who opens it. The confirmation
// also marks the code as used before the person decides, and wrong codes aren't counted.

import { allScopes, intersect } from '#contract/scopes.ts'
import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../../ids.ts'
import type { AuditedCall } from '../audit.ts'
import { normalizedUserCode, type Secrets } from '../secrets.ts'
import { audiencesOf, type Resources, scopesOf } from '../families.ts'
import type { ConsentRequest } from './consents.ts'
import {
  approveRequest,
  type Decision,
  denyRequest,
  isUndecided,
  type Requested,
  type Unfit,
} from './decisions.ts'

export type DeviceRequest = ConsentRequest & {
  readonly requestedAt: string
  /** Where the request came from, so a person who didn't start it can tell. */
  readonly address: string | null
  readonly agent: string | null
}

type Parts = { pool: ConnectionPool; secrets: Secrets; resources: Resources }

type OpenRow = Row & {
  client: string
  clientName: string
  registeredAt: string
  documentHost: string | null
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

  /** Finds the code's request. Null for everyone but the first person who opens it. */
  async function open(userCode: string, person: string): Promise<DeviceRequest | null> {
    const hashes = hashesOf(userCode)
    if (hashes === null) return null
    const row = await pool.use(connection => openCode(connection, hashes, person))
    if (row === undefined) return null
    const { payload, ...shown } = row
    return {
      ...shown,
      scopes: intersect(scopesOf(payload.scope), allScopes),
      audience: audiencesOf(resources, payload.resource),
      address: payload.deviceInfo?.address ?? null,
      agent: payload.deviceInfo?.agent ?? null,
    }
  }

  return {
    open,
    /** Approves the whole request for one integration. */
    async approve(
      userCode: string,
      call: AuditedCall,
      decision: Decision,
    ): Promise<'approved' | Unfit> {
      const hashes = hashesOf(userCode)
      const asked = await open(userCode, decision.person)
      if (asked === null || hashes === null) return 'gone'
      const { client, scopes, audience } = asked
      const id = newId('token_family')
      const family = { id, client, scopes, audience, ...decision }
      const requested = requestedBy(hashes, decision.person)
      return pool.use(connection => approveRequest(connection, call, requested, family))
    },
    async deny(userCode: string, call: AuditedCall, person: string): Promise<'denied' | 'gone'> {
      const hashes = hashesOf(userCode)
      if (hashes === null) return 'gone'
      const requested = requestedBy(hashes, person)
      return pool.use(connection => denyRequest(connection, call, requested, person))
    },
  }
}

const requestedBy = (hashes: Statement, person: string): Requested => ({
  kind: 'device',
  found: sql`a.user_code = any (${hashes}) and a.person = ${person}`,
})

async function openCode(connection: Connection, hashes: Statement, person: string) {
  const [row] = await connection.run<OpenRow>(sql`
    update auth.artifacts a set person = ${person}
      from auth.clients c
     where a.user_code = any (${hashes}) and ${isUndecided} and (a.person is null or a.person = ${person})
       and c.id = a.client and c.revoked_at is null
    returning c.id as client, c.name as "clientName", iso(c.created_at) as "registeredAt",
              c.document_host as "documentHost", iso(a.created_at) as "requestedAt", a.payload`)
  return row
}
