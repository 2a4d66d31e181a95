// Which surface a path belongs to: exact paths by one look, patterns only below a segment that has
// some, so that a page of the site costs next to nothing here.

type Placed = { readonly path: string }
export type Params = Readonly<Record<string, string>>
export type Found<S> = { readonly endpoint: S; readonly params: Params }

const none: Params = Object.freeze({})

/** Paths are exact, or hold `:names`, or end in `/*`. Two surfaces at one path are a mistake. */
export function pathFinder<S extends Placed>(endpoints: readonly S[]) {
  const exact = new Map<string, Found<S>>()
  const patterns = new Map<string, { parts: string[]; endpoint: S }[]>()
  const seen = new Set<string>()
  for (const endpoint of endpoints) {
    const shape = endpoint.path.replaceAll(/:\w+/g, ':')
    if (seen.has(shape)) throw new Error(`Two surfaces want the path ${endpoint.path}.`)
    seen.add(shape)
    if (!/[:*]/.test(endpoint.path)) {
      exact.set(endpoint.path, { endpoint, params: none })
      continue
    }
    const parts = endpoint.path.split('/')
    const below = patterns.get(parts[1] ?? '') ?? []
    // A name before a rest: `/a/:b` is asked before `/a/*`.
    patterns.set(parts[1] ?? '', [...below, { parts, endpoint }].toSorted(byRest))
  }
  return (path: string): Found<S> | undefined => {
    const found = exact.get(path)
    if (found !== undefined) return found
    const end = path.indexOf('/', 1)
    const below = patterns.get(end < 0 ? path.slice(1) : path.slice(1, end))
    if (below === undefined) return undefined
    const parts = path.split('/')
    for (const { parts: wanted, endpoint } of below) {
      const params = match(wanted, parts)
      if (params !== undefined) return { endpoint, params }
    }
    return undefined
  }
}

const byRest = (a: { parts: string[] }, b: { parts: string[] }) =>
  Number(a.parts.includes('*')) - Number(b.parts.includes('*'))

/** A value that needs decoding is no name that we gave out, so such a path is another path. */
function match(wanted: readonly string[], parts: readonly string[]): Params | undefined {
  const params: Record<string, string> = {}
  for (const [at, want] of wanted.entries()) {
    if (want === '*') return params
    const part = parts[at]
    if (part === undefined) return undefined
    if (want.startsWith(':')) {
      if (part === '' || part.includes('%')) return undefined
      params[want.slice(1)] = part
    } else if (part !== want) return undefined
  }
  return parts.length === wanted.length ? params : undefined
}
