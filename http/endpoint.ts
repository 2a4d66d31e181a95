// An endpoint answers the requests for a path. Rate limits, versions, headers and error formats are
// the same for every endpoint in its group (endpoint-group.ts).
import type { Answer } from './answer.ts'
import { allowOf } from './headers.ts'
import type { ErrorFormat } from './problem-formats.ts'
import type { HttpRequest } from './http-request.ts'
import { splitUrl } from './split-url.ts'

export type Endpoint = {
  /** Exact, or with `:names`, or ending in `/*`. */
  readonly path: string
  /** Other methods get a 405 with Allow. GET includes HEAD; OPTIONS is added automatically. */
  readonly methods: readonly string[]
  /** The format of the endpoint's problems. `page` adds headers that stop other origins from
   *  reading the page. */
  readonly errorFormat: ErrorFormat
  /** The operation in the log. If absent, the log has the path. */
  readonly operation?: string
  /**
   * Answers the request; may throw a Problem. HEAD is answered like GET: Bun omits the body. The
   * group sets the response's headers (headers.ts).
   */
  answer(request: HttpRequest): Answer | Promise<Answer>
}

/** A path and its endpoints by method. */
export type EndpointPath = {
  readonly path: string
  readonly methods: ReadonlyMap<string, Endpoint>
  readonly allow: string
  readonly errorFormat: ErrorFormat
}

/** Groups endpoints by path. Two endpoints with the same path and method are an error. */
export function pathsOf(
  endpoints: readonly Endpoint[],
  allowsOrigins: boolean,
): readonly EndpointPath[] {
  const paths = new Map<string, { first: Endpoint; methods: Map<string, Endpoint> }>()
  for (const endpoint of endpoints) {
    const shape = endpoint.path.replaceAll(/:\w+/g, ':')
    const at = paths.get(shape) ?? { first: endpoint, methods: new Map<string, Endpoint>() }
    paths.set(shape, at)
    for (const method of endpoint.methods) {
      if (at.methods.has(method) || at.first.path !== endpoint.path) {
        throw new Error(`Two endpoints have the path ${endpoint.path}.`)
      }
      at.methods.set(method, endpoint)
    }
  }
  const served = [...paths.values()].map(({ first: { path, errorFormat }, methods }) => {
    const allow = allowOf([...methods.keys()], allowsOrigins && errorFormat !== 'page')
    const read = methods.get('GET')
    if (read !== undefined) methods.set('HEAD', read)
    return { path, errorFormat, methods, allow }
  })
  const isServed = new Set(served.map(({ path }) => path))
  return [
    ...served,
    ...served
      .filter(({ path }) => !/[/*]$/.test(path) && !isServed.has(`${path}/`))
      .map(redirecting),
  ]
}

/** Redirects the same path with a trailing slash, for every method. */
function redirecting({ path, methods, ...same }: EndpointPath): EndpointPath {
  const redirects = [...methods].map(([method, { methods: all, errorFormat }]) => {
    const endpoint = { path: `${path}/`, methods: all, errorFormat, answer: redirectWithoutSlash }
    return [method, endpoint] as const
  })
  return { ...same, path: `${path}/`, methods: new Map(redirects) }
}

/** 308 keeps the method and the body. Built pages redirect the same way (gateway/static/). */
export function redirectWithoutSlash(request: HttpRequest): Response {
  const { path, query } = splitUrl(request.raw.url)
  const headers = new Headers({ location: path.slice(0, -1) + query })
  // The body won't be read.
  if (request.hasBody) headers.set('connection', 'close')
  return new Response(null, { status: 308, headers })
}
