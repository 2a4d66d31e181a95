// In test mode, the worker assembles the bundle. In live mode, it's assembled before the write, so
// the export is completed immediately. If the write then fails, the stored bundle is removed later
// as an orphan.

import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { type Call, tenantOf, write } from '../pipeline/handler.ts'
import { livingPatients } from '../patients/patient.ts'
import { exportsAtOnce } from '../modes.ts'
import { published } from '../pipeline/publish.ts'
import { assemble, type Bundle } from './bundle.ts'
import { exportColumns } from './export.ts'

type AssembledExport = { base: string; bundle: Bundle | null }

export const createExport = write('createExport', {
  wakesWorkers: true,
  usesStorage: exportsAtOnce,
  facts: (call, { id }) => sql`select id ${livingPatients(call)} and id = ${id}`,
  inspect: async (call, _input, found: { id: string } | null, { files, connection, base }) => {
    const { mode, tenant, organization } = call.principal
    if (!found || !exportsAtOnce(mode)) return { base, bundle: null }
    const object = call.mint('export', 0).random + call.mint('export', 0).random
    const subject = { mode, tenant, organization: organization.id, patient: found.id }
    return { base, bundle: await assemble({ connection, files, base, object }, subject) }
  },
  decide: (call, _input, found: { id: string } | null, assembled: AssembledExport) => {
    if (!found) throw call.refuse('not_found')
    return { ...assembled, patient: found.id, id: call.mint('export', 0) }
  },
  write: (call: Call<'createExport'>, { patient, bundle, base, id }) => sql`
    held as materialized (
      select id ${livingPatients(call)} and id = ${patient} and exists (select from go)
         for no key update
    ), ${clock(call, 1, sql`held`)},
    changed as (
      insert into exports (tenant, id, patient, status, object, size_bytes, sha256, expires_at,
                           created_at)
      select ${tenantOf(call)}, ${idAt(id)}, ${patient}, ${bundle ? 'completed' : 'pending'},
             ${bundle?.object ?? null}::text, ${bundle?.size ?? null}::bigint,
             ${bundle?.sha256 ?? null}::text,
             ${bundle?.at ?? null}::timestamptz + ${limits.exportHours}::int * interval '1 hour', c.at
        from clock c
      returning id, ${published(exportColumns(base))} as answer
    )`,
})
