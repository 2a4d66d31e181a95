// The clinical API over HTTP: the table as endpoints, in a loop. From the socket to its first query
// a call passes eight functions of ours:
//
//   route          http/router.ts           the host, the request's id, its one line in the log
//   answer         http/endpoint-group.ts   headers and problems, the same for every operation
//   callOperation  here                     a request of HTTP becomes one of the pipeline
//   perform        perform.ts               failed credentials, attempts, and what stopped the call
//   authenticate   perform.ts               who is calling, cached or looked up, on a connection
//   performAs      perform.ts               may this caller do this, and how often
//   performWrite   perform-write.ts         the input, the facts, and the decision on both
//   query          auth/guard.ts            each statement only while the credential is good

import { type OperationId, operationIds, table } from '#contract/api.ts'
import { apiVersion, limits } from '#contract/limits.ts'
import { isWrite } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import { modeOf } from '#auth/principal.ts'
import type { FileAnswer } from '#http/answer.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { createEndpointGroup, type EndpointGroup } from '#http/endpoint-group.ts'
import { BodyFault, bodyProblem, type BodyLimits } from '#http/json-body.ts'
import type { RequestContext } from '#http/request-context.ts'
import { bearerOf, isInAddress } from './bearer.ts'
import { nearPaths } from './near-paths.ts'
import { wrongIdHint } from './path-ids.ts'
import { type AppContext, perform } from './perform.ts'
import { isUnavailable } from './refuse.ts'
import type { Outcome } from './request.ts'

const bodyLimits: BodyLimits = {
  bytesMax: limits.bodyBytesMax,
  depthMax: limits.bodyDepthMax,
  takesJsonSuffix: false,
  milliseconds: limits.bodySecondsMax * 1000,
}

/** Every path under /v1: a row's own, and for the rest 404 and 405. */
export function clinicalGroup(context: AppContext): EndpointGroup {
  return createEndpointGroup({
    endpoints: operationIds.map(id => operationEndpoint(context, id)),
    headers: 'api',
    surface: 'v1',
    base: context.base,
    bodyLimits,
    version: apiVersion,
    policy: context.limiter.policy,
    unmatched: { below: '/v1', problem: call => noSuchPath(context, call) },
    onError: failure => context.onError(failure),
    isUnavailable,
  })
}

function operationEndpoint(context: AppContext, id: OperationId): Endpoint {
  const { method, path } = table[id]
  return {
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    methods: [method],
    errorFormat: 'problem',
    operation: id,
    answer: call => callOperation(context, id, call),
  }
}

async function callOperation(
  context: AppContext,
  operation: OperationId,
  call: RequestContext,
): Promise<FileAnswer> {
  const { headers } = call.request
  const { searchParams: query } = call.url
  const tokenInAddress = isInAddress(query)
  const token = tokenInAddress ? null : bearerOf(headers.get('authorization'))
  // The address is asked for while the connection is there: a body that is cut off may end it.
  const { address } = call
  const body = await bodyOf(operation, call, token)
  const outcome = await perform(context, {
    operation,
    path: call.path,
    names: call.params,
    query,
    token,
    tokenInAddress,
    otherScheme: token === null && headers.has('authorization'),
    organization: headers.get('service-organization'),
    version: headers.get('api-version'),
    idempotencyKey: headers.get('idempotency-key'),
    body: body instanceof BodyFault ? undefined : body,
    refusedBody: body instanceof BodyFault ? bodyProblem(body, 'v1', bodyLimits) : null,
    request: call.id,
    address,
    agent: headers.get('user-agent')?.slice(0, agentLengthMax) ?? null,
  })
  call.allowance = outcome.allowance
  for (const [name, value] of Object.entries(outcome.caller))
    if (value) call.logFields[name] = value
  if ('problem' in outcome) throw explained(outcome, operation, call)
  return outcome
}

const agentLengthMax = 256

/** A request without the form of a credential does not get its body read. */
async function bodyOf(operation: OperationId, call: RequestContext, token: string | null) {
  if (!isWrite(table[operation])) return undefined
  if (token !== null && modeOf(token) !== null) return call.readObject()
  call.closesConnection = call.request.body !== null
  return undefined
}

/** What is not there because its id is none of its kind says so. */
function explained(
  { problem }: Extract<Outcome, { problem: Problem }>,
  operation: OperationId,
  { params }: RequestContext,
): Problem {
  if (problem.code !== 'not_found' || problem.content.hint !== undefined) return problem
  const hint = wrongIdHint(operation, params)
  return hint === null ? problem : new Problem('not_found', { ...problem.content, hint })
}

/** Said before any credential is read. */
function noSuchPath({ base }: AppContext, { request, path }: RequestContext): Problem {
  const near = nearPaths(request.method, path)
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return new Problem('not_found', {
    detail: 'This path does not exist.',
    hint: `Paths are exact.${meant} The contract is at ${base}/openapi/v1.json.`,
  })
}
