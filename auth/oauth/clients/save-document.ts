// The row of a client that a document describes, created when the document is first read and
// updated when it's read again.

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../../ids.ts'
import { type AuditedCall, insertAuditRow } from '../audit.ts'
import { countedRegistrations, type Metadata, tooMany } from './registration.ts'

export type ClientDocument = {
  readonly url: string
  readonly metadata: Metadata
  /** How long the document may be used before it must be read again. */
  readonly seconds: number
}

type Saved = Row & { of_network: number; of_all: number; id: string | null }

/** Returns the client's ID. A new client counts as a registration from its network. */
export async function saveDocument(
  connection: Connection,
  call: AuditedCall,
  network: string,
  { url, metadata, seconds }: ClientDocument,
): Promise<string> {
  const [row] = await connection.run<Saved>(sql`
    with ${countedRegistrations(network)},
    made as (
      insert into auth.clients (id, kind, name, metadata, network, document_url,
                                document_expires_at)
      select ${newId('client')}, 'registered', ${metadata.client_name},
             ${JSON.stringify(metadata)}::text::jsonb, ${network}, ${url},
             clock_timestamp() + ${seconds}::int * interval '1 second'
        from counted
       where is_within or exists (select from auth.clients where document_url = ${url})
      on conflict (document_url) do update
         set name = excluded.name, metadata = excluded.metadata,
             document_expires_at = excluded.document_expires_at
      returning id, (xmax = 0) as is_new
    ), audited as (
      ${insertAuditRow(
        call,
        { action: 'oauth.register', outcome: 'ok', status: 201, code: null },
        sql`select null::text, null::text, null::text, id, null::text, id from made where is_new`,
      )}
    )
    select of_network, of_all, (select id from made) as id from counted`)
  if (row?.id == null) throw tooMany(row)
  return row.id
}
