// Bulk export over HTTP, using HL7's Bulk Data Access: a kick-off returns 202 with a URL that
// reports progress and then lists the files.

import { type BulkId, bulkOperations, bulkPath, ndjsonMime } from '#contract/fhir/bulk.ts'
import { fhirId } from '#contract/fhir/mapping.ts'
import { fhirMime, isFhirType } from '#contract/fhir/resource-types.ts'
import { invalid, Problem } from '#contract/problems.ts'
import type { FileAnswer, TextAnswer } from '#http/answer.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { BodyFault, type BodyLimits, bodyProblem } from '#http/json-body.ts'
import type { AppContext } from '../pipeline/perform.ts'
import type { RequestBody } from '../pipeline/requested-call.ts'
import { type AcceptedOutcome, performFhir } from './perform.ts'
import type { fhirSurface } from './surface.ts'

const retrySeconds = 2

type BulkFile = { readonly id: string; readonly type: string; readonly count: number }
type Export = {
  readonly id: string
  readonly status: 'running' | 'completed' | 'failed'
  readonly request: string
  readonly created_at: string
  readonly expires_at: string
  readonly files: readonly BulkFile[]
}

export function bulkEndpoints(
  context: AppContext,
  surface: ReturnType<typeof fhirSurface>,
  bodyLimits: BodyLimits,
): Endpoint[] {
  const endpoint = (
    id: BulkId,
    methods: readonly string[],
    answerOf: (outcome: AcceptedOutcome) => FileAnswer,
    parameters: (request: HttpRequest) => ExportParameters = () => ({}),
  ): Endpoint => ({
    path: bulkOperations[id].path.replace('{id}', ':id'),
    methods,
    errorFormat: 'fhir',
    operation: id,
    async answer(request) {
      const { readBody, ...more } = parameters(request)
      request.closesConnection = request.hasBody
      // FHIR clients send no idempotency key, so each request counts as a new one.
      const idempotencyKey = request.headers.get('idempotency-key') ?? request.id
      const call = { idempotencyKey, ...more }
      return answerOf(await performFhir(context, surface, id, request, call, readBody))
    },
  })
  const { base } = context
  const urlOf = (id: string) => `${base}${bulkPath}/${fhirId(id)}`
  const kickOff = (id: BulkId) =>
    endpoint(
      id,
      ['GET', 'POST'],
      ({ body }) => {
        const { id } = JSON.parse(body) as { id: string }
        return informed('The export has started.', { 'content-location': urlOf(id) })
      },
      request => parametersOf(request, bodyLimits),
    )
  return [
    kickOff('exportFhir'),
    kickOff('exportFhirPatients'),
    endpoint('readFhirExport', ['GET'], ({ body }) => statusOf(base, JSON.parse(body) as Export)),
    endpoint('deleteFhirExport', ['DELETE'], () => informed('The export was deleted.')),
    endpoint('downloadFhirFile', ['GET'], ({ status, body, headers, bytes }) => ({
      type: ndjsonMime,
      status,
      body,
      headers,
      ...(bytes && { bytes }),
    })),
  ]
}

const informed = (text: string, headers: Record<string, string> = {}): TextAnswer => ({
  type: fhirMime,
  status: 202,
  headers,
  body: JSON.stringify({
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'information', code: 'informational', details: { text } }],
  }),
})

function statusOf(base: string, found: Export): TextAnswer {
  const { status, request, created_at, expires_at, files } = found
  if (status === 'failed') {
    throw new Problem('internal_error', {
      detail: 'The export failed.',
      hint: 'Start another one. If it fails too, contact us.',
    })
  }
  const count = files.reduce((sum, file) => sum + file.count, 0)
  if (status === 'running') {
    const progress = `${count} resources in ${files.length} files`
    return informed(progress, { 'x-progress': progress, 'retry-after': `${retrySeconds}` })
  }
  const manifest = {
    transactionTime: created_at,
    request: `${base}${request}`,
    requiresAccessToken: true,
    output: files.map(({ id, type, count }) => ({
      type,
      url: `${base}${bulkPath}/files/${fhirId(id)}`,
      count,
    })),
    error: [],
  }
  const headers = { expires: new Date(expires_at).toUTCString() }
  return { type: 'application/json', headers, body: JSON.stringify(manifest) }
}

/** A list may be one value with commas, or several values. */
const listed = new Set(['_type', 'patient'])

type ExportParameters = {
  readonly query?: URLSearchParams
  readonly readBody?: () => Promise<RequestBody>
}

/** The parameters are in the query and, for a POST with a body, in a Parameters resource. */
function parametersOf(request: HttpRequest, bodyLimits: BodyLimits): ExportParameters {
  const { method, headers, url } = request
  if (method === 'HEAD') {
    const detail = "HEAD doesn't start an export."
    throw new Problem('method_not_allowed', { detail, headers: { allow: 'GET, POST' } })
  }
  const isLenient = /\bhandling\s*=\s*"?lenient/i.test(headers.get('prefer') ?? '')
  // Some clients send a POST with a query instead of a body.
  const query = new URLSearchParams([...merged(url.searchParams, isLenient)])
  if (method !== 'POST' || !request.hasBody) return { query }
  return {
    query,
    async readBody() {
      request.closesConnection = false
      const found = await posted(request, bodyLimits)
      if (found instanceof Problem) return { body: undefined, refusedBody: found }
      if (found === undefined) return { body: undefined, refusedBody: null }
      const { patient, ...parameters } = Object.fromEntries(merged(found, isLenient))
      const patients = patient === undefined ? {} : { patient: patient.split(',') }
      return { body: { parameters: { ...parameters, ...patients } }, refusedBody: null }
    },
  }
}

/** Merges repeated parameters. The values of a list parameter are joined by commas; otherwise the
 *  last value wins. */
function merged(given: Iterable<[string, string]>, isLenient: boolean): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of given) {
    const before = listed.has(name) ? found.get(name) : undefined
    found.set(name, before === undefined ? value : `${before},${value}`)
  }
  if (isLenient) dropUnsupported(found)
  return found
}

/** With `handling=lenient`, drops everything we can't serve, except `patient`, because without it
 *  the export would include other patients. */
function dropUnsupported(found: Map<string, string>): void {
  const known = new Set([...Object.keys(bulkOperations.exportFhir.query.properties), 'patient'])
  for (const name of found.keys()) if (!known.has(name)) found.delete(name)
  const types = found.get('_type')?.split(',').filter(isFhirType) ?? []
  if (types.length > 0) found.set('_type', types.join(','))
}

type Parameter = { readonly name: string } & Readonly<Record<string, unknown>>

const isParameter = (given: unknown): given is Parameter =>
  typeof given === 'object' && given !== null && 'name' in given && typeof given.name === 'string'

/** Returns the body's parameters, undefined if it's empty, or why it's refused. */
async function posted(
  request: HttpRequest,
  limits: BodyLimits,
): Promise<[string, string][] | undefined | Problem> {
  const body = await request.readObject()
  if (body instanceof BodyFault) return bodyProblem(body, 'v1', limits)
  if (body === undefined) return undefined
  const { resourceType, parameter = [] }: { resourceType?: unknown; parameter?: unknown } = body
  if (resourceType !== 'Parameters' || !Array.isArray(parameter) || !parameter.every(isParameter)) {
    const message = 'resourceType must be Parameters, with a list of named parameters.'
    return invalid([{ pointer: '#/resourceType', code: 'invalid_format', message }])
  }
  return parameter.map(({ name, ...rest }) => {
    const value = Object.entries(rest).find(([key]) => key.startsWith('value'))?.[1]
    const { reference = value } = Object(value) as { reference?: unknown }
    return [name, typeof reference === 'string' ? reference : `${JSON.stringify(reference)}`]
  })
}
