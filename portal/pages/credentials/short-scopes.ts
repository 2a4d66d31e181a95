import { allScopes } from '#contract/scopes.ts'

/** Describes scopes as “All”, as a count, or as a short list. */
export function shortScopes(scopes: readonly string[]): string {
  if (scopes.length === allScopes.length) return 'All'
  return scopes.length > 3 ? `${scopes.length} of ${allScopes.length}` : scopes.join(', ')
}
