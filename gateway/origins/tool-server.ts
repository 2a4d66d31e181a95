// The clinical tool server with its gateway dependencies.
import company from '#content/site.config.ts'
import { apiVersion, limits } from '#contract/limits.ts'
import { justifications } from '#contract/tools/justifications.ts'
import { clinicalServer } from '#contract/tools/server.ts'
import { presentedBy } from '#clinical/pipeline/http-caller.ts'
import type { AppContext } from '#clinical/pipeline/perform.ts'
import { isUnavailable } from '#clinical/pipeline/refuse.ts'
import { openToolCalls } from '#clinical/tools/calls.ts'
import { modeOf } from '#auth/principal.ts'
import { createEndpointGroup } from '#http/endpoint-group.ts'
import type { FailedRequest } from '#http/http-request.ts'
import type { BodyLimits } from '#http/json-body.ts'
import { type PlainEndpoint, problemResponse } from '#http/router.ts'
import type { Docs } from '#mcp/docs/docs.ts'
import { clinicalSource } from '#mcp/clinical/source.ts'
import { openServer } from '#mcp/protocol/server.ts'
import type { Listeners, ServedModule } from './listeners.ts'
import { nothingServed } from './guard.ts'
import { toolServerMetadata } from './resource-metadata.ts'

type ToolServerParts = {
  readonly clinic: AppContext
  readonly listeners: Pick<Listeners, 'urls' | 'base'>
  /** The public origin of the site and the API. */
  readonly base: string
  docs(): Docs
  onError(failure: unknown, request: FailedRequest): void
}

/** In a message, an operation's body is nested two levels deep. */
const bodyLimits: BodyLimits = {
  bytesMax: limits.bodyBytesMax,
  depthMax: limits.bodyDepthMax + 2,
  takesJsonSuffix: false,
  milliseconds: limits.bodySecondsMax * 1000,
}

export function toolServerOf({
  clinic,
  listeners,
  base,
  docs,
  onError,
}: ToolServerParts): ServedModule {
  const url = listeners.urls.mcp
  const calls = openToolCalls(clinic, url)
  const source = clinicalSource({
    calls,
    hasCredential: request => modeOf(presentedBy(request).token) !== null,
    docs,
    base,
  })
  const group = createEndpointGroup({
    endpoints: [
      {
        path: new URL(url).pathname,
        methods: ['POST'],
        errorFormat: 'jsonrpc',
        answer: openServer(clinicalServer(company), source),
      },
    ],
    headers: 'tools',
    surface: 'v1',
    base,
    bodyLimits,
    version: apiVersion,
    policy: clinic.limiter.policy,
    onError,
    isUnavailable,
  })
  return {
    groups: [group],
    endpoints: [...toolServerMetadata(listeners), hintJustifications],
    // A person may enter only the origin in a client.
    fallback: request =>
      problemResponse(nothingServed(base, `The tool server is at ${url}.`), request, base),
  }
}

/** Connector directories require a reason for each hint. */
const hintJustifications: PlainEndpoint = {
  path: '/tool-hint-justifications.json',
  methods: ['GET', 'HEAD'],
  answer: () =>
    Response.json(justifications, { headers: { 'cache-control': 'public, max-age=3600' } }),
}
