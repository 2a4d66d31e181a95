// The site's pages for people that have the same content as the resources for programs.
import type { GuideSummary } from '#contract/content.ts'
import { eventPath, operationPath, problemPath, schemaPath } from '#content/reference.ts'
import type { DocKind } from '#contract/tools/docs-search.ts'
import { isRecord } from '../protocol/result.ts'
import { fragmentOf, type Json } from './contract-part.ts'

export type Place = { readonly kind: DocKind; readonly uri: string; readonly name: string }

export const contractUri = 'svc://openapi/v1.yaml'
export const guideUri = (slug: string) => `svc://docs/${slug}`
const partUri = (...names: string[]) => `${contractUri}#${fragmentOf(...names)}`

/** Keyed by the page's path. Events share one schema, so no event has its own part of the
 *  contract. */
export function placesOf(guides: readonly GuideSummary[], contract: Json): Map<string, Place> {
  const places: [path: string, kind: DocKind, uri: string, name: string][] = []
  for (const { slug, url } of guides) {
    places.push([new URL(url).pathname, 'guide', guideUri(slug), slug])
  }
  for (const [path, methods] of Object.entries(objectAt(contract, 'paths'))) {
    for (const [method, operation] of Object.entries(isRecord(methods) ? methods : {})) {
      const id = String(isRecord(operation) ? operation['operationId'] : '')
      places.push([operationPath(id), 'operation', partUri('paths', path, method), id])
    }
  }
  const components = objectAt(contract, 'components')
  const schemas = objectAt(components, 'schemas')
  for (const name of Object.keys(schemas)) {
    places.push([schemaPath(name), 'schema', partUri('components', 'schemas', name), name])
  }
  for (const code of openValues(schemas, 'Problem', 'code')) {
    const hasExample = code in objectAt(components, 'examples')
    const part = hasExample ? ['examples', code] : ['schemas', 'Problem']
    places.push([problemPath(code), 'error', partUri('components', ...part), code])
  }
  for (const type of openValues(schemas, 'Event', 'type')) {
    places.push([eventPath(type), 'event', partUri('components', 'schemas', 'Event'), type])
  }
  return new Map(places.map(([path, kind, uri, name]) => [path, { kind, uri, name }]))
}

function objectAt(from: Json, name: string): Json {
  const value = from[name]
  return isRecord(value) ? value : {}
}

/** The values that the contract currently lists for a field whose list may grow. */
function openValues(schemas: Json, schema: string, member: string): string[] {
  const values = objectAt(objectAt(objectAt(schemas, schema), 'properties'), member)['x-open-enum']
  return Array.isArray(values) ? values.map(String) : []
}
