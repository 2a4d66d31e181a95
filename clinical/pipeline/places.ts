// Paths and versions: the ID format, and the API version that a request may pin.

import { apiVersion } from '#contract/limits.ts'
import type { Reader } from './validate.ts'

const idForm = /^[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Whether every ID in the path is well formed. A malformed ID gets a 404 without a query. */
export const couldExist = (names: Readonly<Record<string, string>>): boolean =>
  Object.values(names).every(name => idForm.test(name))

/** API-Version is the only header whose faults appear in `errors`. */
export function checkVersion(reader: Reader, version: string | null): void {
  if (version !== null && version !== apiVersion) {
    reader.refuse('API-Version:', 'not_in_enum', `API-Version must be ${apiVersion}, or omitted.`)
  }
}
