// The advice to leave out scopes that are not used, with a link that does it.
import type { Scope } from '#contract/scopes.ts'
import { ScopeList } from '../../frame/parts.tsx'
import type { Advice } from './advice.ts'

type NarrowerProps = {
  readonly advice: Advice
  /** Where the narrower successor is made. */
  readonly href: string
  readonly label: string
}

export const Narrower = ({ advice: { unused }, href, label }: NarrowerProps) => (
  <section class="advice">
    <h2>It has more scopes than it uses</h2>
    <p>
      It has not used {unused.length === 1 ? 'this scope' : `these ${unused.length} scopes`} for 30
      days. A successor without {unused.length === 1 ? 'it' : 'them'} could do less harm if it
      leaked.
    </p>
    <ScopeList of={unused} />
    <p class="actions">
      <a class="button second" href={href}>
        {label}
      </a>
    </p>
  </section>
)

/** The scopes of an address, such as that of a narrower successor. */
export const scopesParameter = (given: readonly Scope[]): string => given.join(' ')
export const scopesFromQuery = (query: URLSearchParams, offered: readonly Scope[]): Scope[] => {
  const asked = (query.get('scopes') ?? '').split(' ')
  return offered.filter(scope => asked.includes(scope))
}
