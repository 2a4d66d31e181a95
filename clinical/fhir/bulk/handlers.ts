// Handlers for the FHIR preview's bulk export. The worker writes the files (job.ts).

import type { bulkOperations } from '#contract/fhir/bulk.ts'
import {
  fhirPath,
  type FhirType,
  fhirTypeNames,
  isFhirType,
  scopesOfType,
} from '#contract/fhir/resource-types.ts'
import { invalid, Problem } from '#contract/problems.ts'
import type { Scope } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import type { Principal } from '#auth/principal.ts'
import { livingPatients } from '../../patients/patient.ts'
import { type Handlers, handlersOf, tenantOf } from '../../pipeline/handler.ts'
import { published } from '../../pipeline/publish.ts'
import { patientOf } from '../handlers.ts'
import {
  attachmentOf,
  bulkColumns,
  busy,
  deleteExport,
  presentExports,
  presentFile,
  startExport,
} from './export.ts'

const { read, write } = handlersOf<typeof bulkOperations, Principal>()

type Caller = { readonly principal: Pick<Principal, 'scopes'> }

const missingScope = ({ principal }: Caller, type: FhirType): Scope | undefined =>
  scopesOfType(type).find(scope => !principal.scopes.includes(scope))

const insufficient = ({ principal }: Caller, missing: Scope, type: string) =>
  new Problem('insufficient_scope', {
    detail: `${type} requires the scope ${missing}.`,
    members: { required_scope: missing, granted_scopes: principal.scopes },
  })

/** Returns the requested types, or every type the caller may read. */
function typesOf(call: Caller, asked: string | undefined): readonly FhirType[] {
  if (asked === undefined)
    return fhirTypeNames.filter(type => missingScope(call, type) === undefined)
  const types = [...new Set(asked.split(','))]
  for (const type of types) {
    if (!isFhirType(type)) {
      const message = `_type must contain only ${fhirTypeNames.join(', ')}.`
      throw invalid([{ pointer: '?_type', code: 'not_in_enum', message }])
    }
    const missing = missingScope(call, type)
    if (missing !== undefined) throw insufficient(call, missing, type)
  }
  return types as FhirType[]
}

type Parameters = {
  readonly _outputFormat?: string
  readonly _since?: string
  readonly _type?: string
}
/** The query's parameters, and the body's. */
type KickOff = Parameters & {
  readonly parameters?: Parameters & { readonly patient?: readonly string[] }
}
type Facts = { is_running: boolean; known: number }

const patientsOf = ({ parameters }: KickOff) =>
  parameters?.patient === undefined ? null : [...new Set(parameters.patient.map(patientOf))]

const kickOff = (id: 'exportFhir' | 'exportFhirPatients', path: string) =>
  write(id, {
    facts: (call, input: KickOff) => sql`
      select exists (select from bulk_exports where tenant = ${tenantOf(call)}
                        and person is null and status = 'running') as is_running,
             (select count(*)::int ${livingPatients(call)}
                 and id = any (${patientsOf(input) ?? []}::text[])) as known`,
    decide: (call, input: KickOff, found: Facts | null) => {
      const { parameters, ...sent } = input
      const { _type, _since } = { ...sent, ...parameters }
      const types = typesOf(call, _type)
      const patients = patientsOf(input)
      if (patients !== null && found?.known !== patients.length) {
        const message = 'patient must reference only existing patients.'
        throw invalid([{ pointer: '#/patient', code: 'unknown_reference', message }])
      }
      if (found?.is_running) throw busy()
      const query = new URLSearchParams(sent)
      const request = `${fhirPath}${path}${query.size > 0 ? `?${query}` : ''}`
      const minted = call.mint('bulk_export', 0)
      return { id: minted, request, types, since: _since ?? null, patients, by: null }
    },
    write: (call, started) => startExport(call, started, sql`go`),
  })

export const bulkHandlers: Handlers<typeof bulkOperations, Principal> = {
  exportFhir: kickOff('exportFhir', '/$export'),
  exportFhirPatients: kickOff('exportFhirPatients', '/Patient/$export'),

  readFhirExport: read('readFhirExport', (call, { id }) => ({
    rows: sql`
      select b.id, ${published(bulkColumns)} as item ${presentExports(false)}
         and b.tenant = ${tenantOf(call)} and b.id = ${id}`,
  })),

  deleteFhirExport: write('deleteFhirExport', {
    facts: (call, { id }) => sql`
      select b.id ${presentExports(false)} and b.tenant = ${tenantOf(call)} and b.id = ${id}`,
    decide: (call, _input, found: { id: string } | null) => {
      if (!found) throw call.refuse('not_found')
      return found
    },
    write: deleteExport,
  }),

  downloadFhirFile: read('downloadFhirFile', (call, { id }, context) => ({
    rows: sql`
      select f.id, ${published(sql`f.type, f.object`)} as item,
             case when f.type <> all (${typesOf(call, undefined)}::text[])
                  then 'insufficient_scope' end as refused
        ${presentFile(call, id, false)}`,
    refusable: {
      refusal: (_code, item) => {
        const { type } = JSON.parse(item) as { type: FhirType }
        return insufficient(call, missingScope(call, type) ?? 'patients:read', type)
      },
      answer: item => item,
    },
    attachment: attachmentOf(call, id, context),
  })),
}
