// The FHIR preview over HTTP. A request goes through the pipeline like any other, and its rows
// become resources here. Every response is FHIR, and refusals are an OperationOutcome.

import { capabilityStatement, smartConfiguration } from '#contract/fhir/documents.ts'
import { type About, type Resource, resourceOf } from '#contract/fhir/mapping.ts'
import { mappings } from '#contract/fhir/mappings.ts'
import { type FhirId, fhirIds, fhirOperations } from '#contract/fhir/operations.ts'
import { fhirMime, fhirPath, fhirTypeNames } from '#contract/fhir/resource-types.ts'
import { apiVersion, limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import type { TextAnswer } from '#http/answer.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { createEndpointGroup, type EndpointGroup, type OnError } from '#http/endpoint-group.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { findMedication } from '../medications/medication.ts'
import { bodyLimits } from '../pipeline/http-caller.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { isUnavailable } from '../pipeline/refuse.ts'
import { bulkEndpoints } from './bulk-http.ts'
import type { FhirItem } from './handlers.ts'
import { type AcceptedOutcome, performFhir } from './perform.ts'
import { fhirSurface } from './surface.ts'

/** FHIR bodies have a media type with the suffix +json. */
const fhirLimits = { ...bodyLimits, takesJsonSuffix: true }

/** Handles every path under /preview/fhir. `issuer` is the authorization server's origin. */
export function fhirGroup(
  context: AppContext,
  onError: OnError,
  issuer = context.base,
): EndpointGroup {
  const surface = fhirSurface(context.base)
  const origins = { api: context.base, auth: issuer }
  const fixed = (path: string, document: object, mime: string = fhirMime): Endpoint => {
    const body = JSON.stringify(document)
    return {
      path: `${fhirPath}${path}`,
      methods: ['GET'],
      errorFormat: 'fhir',
      answer: () => ({ body, type: mime }),
    }
  }
  const endpointOf = (id: FhirId): Endpoint => ({
    path: fhirOperations[id].path.replace('{id}', ':id'),
    methods: ['GET'],
    errorFormat: 'fhir',
    operation: id,
    async answer(request) {
      const query = withinPage(request.url.searchParams)
      return answerOf(
        context.base,
        id,
        request,
        await performFhir(context, surface, id, request, { query }),
      )
    },
  })
  return createEndpointGroup({
    endpoints: [
      ...fhirIds.map(endpointOf),
      ...bulkEndpoints(context, surface, fhirLimits),
      fixed('/metadata', capabilityStatement(origins)),
      fixed('/.well-known/smart-configuration', smartConfiguration(origins), 'application/json'),
    ],
    headers: 'preview',
    surface: 'v1',
    base: context.base,
    bodyLimits: fhirLimits,
    version: apiVersion,
    policy: context.limiter.policy,
    unmatched: { below: fhirPath, format: 'fhir', problem: () => noSuchPath(context) },
    onError,
    isUnavailable,
  })
}

/** Caps `_count` at our page limit. FHIR allows a server to return fewer resources than requested.
 */
function withinPage(query: URLSearchParams): URLSearchParams {
  const count = query.get('_count')
  if (count === null || !/^\d{1,9}$/.test(count)) return query
  const within = new URLSearchParams(query)
  within.set('_count', String(Math.min(Number(count), limits.pageMax)))
  return within
}

function answerOf(
  origin: string,
  id: FhirId,
  request: HttpRequest,
  outcome: AcceptedOutcome,
): TextAnswer {
  const { organization, integration } = outcome.caller
  const about: About = { origin, organization, integration, medication: findMedication }
  const resource = ({ as, row }: FhirItem) => resourceOf(mappings[as], row, about)
  const found = JSON.parse(outcome.body) as FhirItem | { data: FhirItem[] }
  const whole =
    'data' in found
      ? bundleOf(origin, request, found.data.map(resource), outcome.lastId)
      : resource(found)
  return { type: fhirMime, status: 200, headers: outcome.headers, body: JSON.stringify(whole) }
}

function bundleOf(
  origin: string,
  { path, url }: HttpRequest,
  resources: readonly Resource[],
  lastId: string | undefined,
): object {
  const linkTo = (relation: string, query: URLSearchParams) => ({
    relation,
    url: `${origin}${path}${query.size > 0 ? `?${query}` : ''}`,
  })
  const link = [linkTo('self', url.searchParams)]
  if (lastId !== undefined) {
    const next = new URLSearchParams(url.searchParams)
    next.set('_after', lastId)
    link.push(linkTo('next', next))
  }
  const entry = resources.map(resource => ({
    fullUrl: `${origin}${fhirPath}/${resource.resourceType}/${resource.id}`,
    resource,
    search: { mode: 'match' },
  }))
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    link,
    ...(entry.length > 0 ? { entry } : {}),
  }
}

const noSuchPath = ({ base }: AppContext) =>
  new Problem('not_found', {
    detail: 'This path does not exist.',
    hint: `The types are ${fhirTypeNames.join(', ')}. ${base}${fhirPath}/metadata lists the parameters each one takes.`,
  })
