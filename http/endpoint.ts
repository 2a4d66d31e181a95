// An endpoint says what it answers at a path. How often it may be called, in which version, with
// which headers, and what a problem looks like is the same for every endpoint of its group
// (endpoint-group.ts).
import type { Answer } from './answer.ts'
import { allowOf } from './headers.ts'
import type { ErrorFormat } from './problem-formats.ts'
import type { RequestContext } from './request-context.ts'

export type Endpoint = {
  /** Exact, or with `:names`, or ending in `/*`. */
  readonly path: string
  /** Other methods get a 405 with Allow. HEAD comes with GET, and OPTIONS by itself. */
  readonly methods: readonly string[]
  /** In which form its problems are written. */
  readonly errorFormat: ErrorFormat
  /** Its name in the log; absent: its path. */
  readonly operation?: string
  /**
   * Answers the call; may throw a Problem. HEAD is answered as GET is: the server leaves the body
   * off. The headers of its group (headers.ts) an answer does not carry itself.
   */
  answer(context: RequestContext): Answer | Promise<Answer>
}

/** A path, and which endpoint takes which method there. */
export type EndpointPath = {
  readonly path: string
  readonly methods: ReadonlyMap<string, Endpoint>
  readonly allow: string
  readonly errorFormat: ErrorFormat
}

/** Endpoints by their paths. Two of one path and method are a mistake. */
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
        throw new Error(`Two endpoints want the path ${endpoint.path}.`)
      }
      at.methods.set(method, endpoint)
    }
  }
  return [...paths.values()].map(({ first: { path, errorFormat }, methods }) => {
    const allow = allowOf([...methods.keys()], allowsOrigins)
    const read = methods.get('GET')
    if (read !== undefined) methods.set('HEAD', read)
    return { path, errorFormat, methods, allow }
  })
}
