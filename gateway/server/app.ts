// Composes request handlers: the clinical API, the site's endpoints, signed URLs for files and
// visits, and the built site for every other path.
import type { AppContext } from '#clinical/pipeline/perform.ts'
import { documentEndpoint } from '#clinical/files/documents.ts'
import { uploadEndpoint } from '#clinical/files/upload.ts'
import { fhirGroup } from '#clinical/fhir/http.ts'
import { clinicalGroups } from '#clinical/rest/http.ts'
import { waitingRoom } from '#clinical/waiting-room/waiting-room.ts'
import type { AddressOf } from '#http/client-address.ts'
import type { Problem } from '#contract/problems.ts'
import type { EndpointGroup } from '#http/endpoint-group.ts'
import type { HostCheck } from '#http/host-check.ts'
import type { Log } from '#http/log.ts'
import { createRouter, type PlainEndpoint, type Router, type RouterOptions } from '#http/router.ts'
import type { Documents } from '../static/documents.ts'
import type { Content } from './content.ts'
import { requestFailure } from './failures.ts'
import { type HttpRequest, newRequestId } from '#http/http-request.ts'

type AppParts = Pick<RouterOptions, 'finish' | 'probes' | 'sockets'> & {
  context: AppContext
  /** The authorization server's origin. Defaults to the API's own. */
  issuer?: string
  /** The console's origin. The console's visit page shows the clinician's room. */
  consoleOrigin?: string
  isAllowedHost: HostCheck
  /** The error for hosts that another module serves. */
  refuse?(request: Request): Problem | undefined
  addressOf: AddressOf
  /** Whether the listener itself speaks TLS. */
  isTls?: boolean
  documents: Documents
  /** The site's endpoints, including its agents' endpoints. */
  site?: EndpointGroup
  /** Pharmacy updates in live mode. */
  pharmacies?: readonly PlainEndpoint[]
  /** Endpoints that only this machine can call. */
  local?: readonly PlainEndpoint[]
  /** Handles every path without an endpoint. */
  content: Content
  log: Log
}

export const createApp = ({
  context,
  issuer,
  consoleOrigin,
  documents,
  site,
  pharmacies = [],
  local = [],
  content,
  log,
  ...guards
}: AppParts): Router => {
  const onError = requestFailure(log)
  const clinical = [...clinicalGroups(context, onError), fhirGroup(context, onError, issuer)]
  return createRouter({
    ...guards,
    groups: [...clinical, ...(site ? [site] : [])],
    plain: [
      ...signedAddresses(context, consoleOrigin),
      ...pharmacies,
      ...local,
      ...[...documents].map(([path, serve]) => ({
        path,
        methods: ['GET', 'HEAD'],
        answer: ({ raw }: HttpRequest) => serve(raw),
      })),
    ],
    ...content,
    newRequestId,
    base: context.base,
    log,
    onError,
  })
}

/** URLs that work as credentials: for uploading documents, downloading them, and joining a
 *  visit. */
function signedAddresses(context: AppContext, consoleOrigin?: string): PlainEndpoint[] {
  const [upload, document] = [uploadEndpoint(context), documentEndpoint(context)]
  return [
    {
      path: '/uploads/:token',
      answer: ({ raw, params }) => upload(raw, params['token'] ?? ''),
    },
    {
      path: '/documents/:token',
      answer: request => document(request.raw, request.params['token'] ?? '', request),
    },
    waitingRoom(context, consoleOrigin),
  ]
}
