// Gives a test PostgreSQL a certificate.
import { chownSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SQL } from 'bun'
import type { Leaf } from '#http/testing/certificates.ts'
import { until } from '#http/testing/until.ts'

/** Turns on TLS in PostgreSQL, or replaces its certificate. */
export async function showCertificate(url: string, { cert, key }: Leaf): Promise<void> {
  await using owner = new SQL({ url, max: 1 })
  const [row] = await owner`show data_directory`
  const { uid, gid } = statSync(row.data_directory)
  for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    const file = path.join(row.data_directory, name)
    writeFileSync(file, text, { mode: 0o600 })
    chownSync(file, uid, gid)
  }
  await owner.unsafe('alter system set ssl = on')
  await owner`select pg_reload_conf()`
  await until(async () => (await owner`show ssl`)[0]?.ssl === 'on')
}
