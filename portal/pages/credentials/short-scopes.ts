import { allScopes } from '#contract/scopes.ts'

/** All, their number, or the few there are. */
export function shortScopes(scopes: readonly string[]): string {
  if (scopes.length === allScopes.length) return 'all'
  return scopes.length > 3 ? `${scopes.length} of ${allScopes.length}` : scopes.join(', ')
}
