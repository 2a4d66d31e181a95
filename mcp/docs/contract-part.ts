// A part of the contract as its own document: one operation, schema or error, with everything it
// references. The whole contract would take about sixty thousand tokens.

import { isRecord } from '../protocol/result.ts'

export type Json = Readonly<Record<string, unknown>>

/** Splits `/paths/~1v1~1cases/post` into its names (RFC 6901); undefined if it isn't a pointer. */
export function namesOf(pointer: string): string[] | undefined {
  if (!pointer.startsWith('/')) return undefined
  const names = pointer.slice(1).split('/')
  return names.map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Joins names into a URI fragment. */
export const fragmentOf = (...names: readonly string[]): string =>
  names
    .map(name => name.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(name => `/${encodeURIComponent(name)}`)
    .join('')

const valueAt = (document: Json, names: readonly string[]) =>
  names.reduce<unknown>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    document,
  )

/** Whether a part can be read on its own: a path, one of its operations, or a component. */
const isPart = ([root, ...names]: readonly string[]) =>
  (root === 'paths' && (names.length === 1 || names.length === 2)) ||
  (root === 'components' && names.length === 2)

/** Returns undefined if the document has no such part. */
export function partOf(document: Json, names: readonly string[]): Json | undefined {
  const value = isPart(names) ? valueAt(document, names) : undefined
  if (value === undefined) return undefined
  const found = short(value)
  const parts = new Map([[fragmentKey(names), found]])
  follow(document, found, parts)
  if (names[0] === 'paths') addSecuritySchemes(document, parts)
  const { openapi, info, servers, security } = document
  const { title, version } = isRecord(info) ? info : {}
  const [paths, components] = [nested(parts, 'paths'), nested(parts, 'components')]
  return {
    openapi,
    info: {
      title,
      version,
      description: `Part of the contract: ${names.join(' ')}, with the schemas it uses. Response headers and error examples are in the full contract.`,
    },
    servers,
    security,
    paths,
    ...(Object.keys(components).length > 0 ? { components } : {}),
  }
}

/** Adds the security schemes, because operations refer to them by name, not by `$ref`. */
function addSecuritySchemes(document: Json, parts: Map<string, unknown>): void {
  const schemes = valueAt(document, ['components', 'securitySchemes'])
  for (const [name, scheme] of Object.entries(isRecord(schemes) ? schemes : {})) {
    parts.set(fragmentKey(['components', 'securitySchemes', name]), scheme)
  }
}

const fragmentKey = (names: readonly string[]) => JSON.stringify(names)

/** The parts below one field of the document, sorted by name. */
function nested(parts: ReadonlyMap<string, unknown>, root: string): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const key of [...parts.keys()].sort()) {
    const names: string[] = JSON.parse(key)
    if (names[0] !== root) continue
    let at = made
    for (const name of names.slice(1, -1)) at = (at[name] ??= {}) as Record<string, unknown>
    at[names.at(-1) ?? ''] = parts.get(key)
  }
  return made
}

/**
 * Omits headers, which are the same for every response. Also omits examples of refusals, because
 * the description has the refusals' codes.
 */
function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(short)
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(
    ([name, inner]) => !((name === 'headers' || name === 'examples') && isOfReferences(inner)),
  )
  return Object.fromEntries(kept.map(([name, inner]) => [name, short(inner)]))
}

/** Whether these are OpenAPI's headers or examples, not a schema property with that name. */
const isOfReferences = (inner: unknown) =>
  isRecord(inner) && Object.values(inner).every(each => isRecord(each) && '$ref' in each)

/** Adds the value's references, recursively. */
function follow(document: Json, value: unknown, parts: Map<string, unknown>): void {
  if (Array.isArray(value)) for (const inner of value) follow(document, inner, parts)
  if (!isRecord(value)) return
  const { $ref } = value
  const names = typeof $ref === 'string' ? namesOf($ref.slice(1)) : undefined
  if (names !== undefined && !parts.has(fragmentKey(names))) {
    const found = short(valueAt(document, names))
    parts.set(fragmentKey(names), found)
    follow(document, found, parts)
  }
  for (const inner of Object.values(value)) follow(document, inner, parts)
}
