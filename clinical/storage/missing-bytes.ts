// Finds documents whose bytes are missing from storage, for an operator to check after a restore.
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { documentKey, type Storage } from './storage.ts'

const pageMax = 1000

type Row = { tenant: string; id: string; object: string; size_bytes: number }

/** Returns the number of live documents, and the IDs of documents without bytes. */
export async function lostFiles(owner: ConnectionPool, storage: Pick<Storage, 'stat'>) {
  const lost: string[] = []
  let count = 0
  for (let last: Row = { tenant: '0', id: '', object: '', size_bytes: 0 }; ;) {
    const { tenant, id } = last
    const page = await owner.use(connection =>
      connection.run<Row>(sql`
        select tenant::text as tenant, id, object, size_bytes from live.files f
         where status = 'attached' and (tenant, id) > (${tenant}::bigint, ${id})
         order by f.tenant, f.id limit ${pageMax}::int`),
    )
    for (const row of page) {
      const found = await storage.stat(documentKey('live', row.object))
      if (found?.size !== row.size_bytes) lost.push(row.id)
    }
    count += page.length
    const next = page.at(-1)
    if (!next || page.length < pageMax) return { count, lost }
    last = next
  }
}
