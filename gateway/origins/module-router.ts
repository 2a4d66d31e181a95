// The router for a module with its own port: its endpoints, and an error for every other path.
import { ownOriginHeaders } from '#http/origins/own-origin.ts'
import {
  createRouter,
  type Finish,
  type PlainEndpoint,
  problemResponse,
  type Router,
  type RouterOptions,
} from '#http/router.ts'
import { askedFrom, type Guard, nothingServed } from './guard.ts'

type ModuleParts = Pick<RouterOptions, 'addressOf' | 'newRequestId' | 'log' | 'onError'> & {
  readonly guard: Guard
  /** Whether the listener itself speaks TLS. */
  readonly isTls?: boolean
  /** The public origin of the site and the API. */
  readonly base: string
  readonly endpoints: readonly PlainEndpoint[]
  /** Endpoints that share headers and an error format. */
  readonly groups?: RouterOptions['groups'] | undefined
  /** Handles every other path; if absent, nothing is served there. */
  readonly fallback?: RouterOptions['fallback'] | undefined
  /** Runs on every response. */
  readonly finish?: RouterOptions['finish']
}

export function moduleRouter(options: ModuleParts): Router {
  const { guard, base, endpoints, groups = [], fallback, finish = [], ...parts } = options
  return createRouter({
    ...parts,
    base,
    groups,
    plain: endpoints,
    fallback(request) {
      request.logFields['code'] = 'not_found'
      // The body won't be read.
      request.closesConnection = request.hasBody
      return fallback?.(request) ?? problemResponse(nothingServed(base), request, base)
    },
    // The guard checks hosts.
    isAllowedHost: () => true,
    refuse: request => guard(askedFrom(request)),
    finish: [withOwnHeaders, ...finish],
  })
}

const withOwnHeaders: Finish = response => {
  for (const [name, value] of Object.entries(ownOriginHeaders)) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}
