// Checks the services that clinics use: video, document rendering and pharmacy connections.
import { openViewer, type Viewer } from '#clinical/viewer/viewer.ts'
import { createEncryption } from '#database/encryption.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Config } from '../settings/config.ts'
import { fault, type Finding, ok, reasonOf, warning } from './finding.ts'
import { videoFindings } from './video.ts'

type ServiceSettings = {
  readonly url: string
  readonly config: Config
  /** Empty if the installation has no secret yet. */
  readonly encryptionKeys: readonly string[]
}

export async function clinicFindings(asked: ServiceSettings): Promise<Finding[]> {
  const findings = await Promise.all([
    videoFindings(asked.config.video),
    rendererFindings(),
    pharmacyFindings(asked),
  ])
  return findings.flat()
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
)

export async function rendererFindings(viewer: Viewer = openViewer()): Promise<Finding[]> {
  const name = 'document renderer'
  try {
    const rendered = await viewer.render(pixel, { mime: 'image/png', page: 1 })
    if (!('finding' in rendered)) return [ok(name, 'Renders an image in its sandbox.')]
    return [fault(name, `Rejected a valid image as ${rendered.finding}.`)]
  } catch (failure) {
    return [fault(name, `Can't render, so clinics can't see documents: ${reasonOf(failure)}`)]
  }
}

/** Returns no findings if no clinic has a pharmacy. */
export async function pharmacyFindings({
  url,
  encryptionKeys,
}: ServiceSettings): Promise<Finding[]> {
  const name = 'pharmacies'
  const keys = encryptionKeys.length > 0 ? createEncryption(encryptionKeys).keys : []
  const known = keys.map(key => `sealed.${key}.%`)
  const pool = openPool({ url, size: 1, name: 'doctor', settings: { statement_timeout: '10000' } })
  try {
    const isThere = sql`select to_regclass('pharmacy.connections') is not null as exists`
    const [table] = await pool.use(connection => connection.run<{ exists: boolean }>(isThere))
    // The database checks report that the first migration hasn't run.
    if (table?.exists !== true) return []
    const [row] = await pool.use(connection =>
      connection.run<{ connections: number; unknown: number; waiting: number }>(sql`
        select count(*)::int as connections,
               count(*) filter (where not secret like any (${known}::text[]))::int as unknown,
               (select count(*)::int from pharmacy.transmissions
                 where status = 'stopped') as waiting
          from pharmacy.connections where ended_at is null`),
    )
    const { connections, unknown, waiting } = row ?? { connections: 0, unknown: 0, waiting: 0 }
    if (unknown > 0)
      return [fault(name, `SEAL_KEYS has no key for ${unknown} of ${connections} connections.`)]
    if (waiting > 0)
      return [
        warning(name, `${waiting} prescriptions weren't accepted. Someone has to handle them.`),
      ]
    return connections > 0 ? [ok(name, `${connections} connected. No prescriptions waiting.`)] : []
  } catch (failure) {
    return [fault(name, `Can't be read from the database: ${reasonOf(failure)}`)]
  } finally {
    await pool.close()
  }
}
