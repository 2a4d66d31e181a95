import { allScopes } from '#contract/scopes.ts'

/** Lists all scopes, their count, or the few there are. */
export function shortScopes(scopes: readonly string[]): string {
  if (scopes.length === allScopes.length) return 'All'
  return scopes.length > 3 ? `${scopes.length} of ${allScopes.length}` : scopes.join(', ')
}
