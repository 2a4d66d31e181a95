// Least privilege: finds the scopes that a credential doesn't use.
import { dayMilliseconds } from '#contract/moments.ts'
import { logged, loggedIds } from '#contract/callable.ts'
import { isScope, type Scope } from '#contract/scopes.ts'
import type { OperationUse } from '#auth/operation-uses.ts'

/** A shorter time is too early to judge, because a scope may not have been needed yet. */
const observedDays = 7
/** Scopes that weren't used for this long count as unused. */
const restingDays = 30

export type Advice = { readonly used: readonly Scope[]; readonly unused: readonly Scope[] }

/** Null if it's too early to tell, or if no scope should be dropped. */
export function adviceFor(
  scopes: readonly string[],
  uses: readonly OperationUse[],
  now: number,
): Advice | null {
  const first = Math.min(...uses.map(({ first_at: at }) => Date.parse(at)))
  if (!(now - first >= observedDays * dayMilliseconds)) return null
  const recent = new Set(
    uses
      .filter(({ last_at: at }) => now - Date.parse(at) < restingDays * dayMilliseconds)
      .map(({ operation }) => operation),
  )
  const needed = new Set<string>(
    loggedIds.flatMap(id =>
      recent.has(id) ? [logged[id].scope, ...(logged[id].alsoNeeds ?? [])] : [],
    ),
  )
  const held = scopes.filter(isScope)
  const [used, unused] = [
    held.filter(scope => needed.has(scope)),
    held.filter(scope => !needed.has(scope)),
  ]
  return unused.length === 0 || used.length === 0 ? null : { used, unused }
}
