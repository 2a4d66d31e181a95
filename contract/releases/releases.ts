// Each API release's additions, deprecations and removals, by operation and field, newest first.
// record.ts writes the changes along with the newest release's surface, with which the next release
// is compared.

import type { ApiChange, Surface } from './surface.ts'
import stored from '../generated/releases.json' with { type: 'json' }

export type Release = { readonly date: string; readonly changes: readonly ApiChange[] }
type ReleaseFile = { readonly releases: readonly Release[]; readonly surface: Surface }

/** `surface` belongs to the newest release. */
export const { releases, surface } = stored as ReleaseFile

/** Describes where a change is. */
export function placeOf({ in: place, name = '', schema, operations }: ApiChange): string {
  const field = name.replace(/^#\//, '').replaceAll('/*', '[]').replaceAll('/', '.')
  if (place === 'operation') return operations[0] ?? ''
  if (place === 'event') return name
  if (place === 'query') return `?${name}`
  return schema === undefined ? field : `${schema}.${field}`
}

/** Returns one line about a change. `code` formats the names in it. */
export function lineOf(change: ApiChange, code = (name: string) => name): string {
  const place = code(placeOf(change))
  if (change.in === 'operation') return `${change.change} operation ${place}`
  if (change.in === 'event') return `${change.change} event ${place}`
  const where = change.in === 'query' ? '' : ` in the ${change.in}`
  return `${change.change} ${place}${where} of ${change.operations.map(code).join(', ')}`
}
