// Paths and versions: the format of ids, the Location of a new resource, and the API version that a
// request may pin.

import { operationIds, table } from '#contract/api.ts'
import { locationOf } from '#contract/derive/location.ts'
import { apiVersion } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import type { Reader } from './validate.ts'

const idForm = /^[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Whether every id of the path is well-formed. A malformed id gets a 404 without a query. */
export const couldExist = (names: Readonly<Record<string, string>>): boolean =>
  Object.values(names).every(name => idForm.test(name))

/** API-Version is the only header whose faults appear in `errors`. */
export function checkVersion(reader: Reader, version: string | null): void {
  if (version !== null && version !== apiVersion) {
    reader.refuse('API-Version:', 'not_in_enum', `API-Version must be ${apiVersion}, or left out.`)
  }
}

const places = new Map(
  operationIds.map(id => [table[id], locationOf(table[id], Object.values(table))]),
)

/** The path below which a created resource is read; null when it is read in a list only. */
export const placeOf = (operation: Operation): string | null => places.get(operation) ?? null
