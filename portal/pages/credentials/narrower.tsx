// The advice to leave out scopes that are not used, with a link that does it.
import type { Scope } from '#contract/scopes.ts'
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
      In the last 30 days it has not used{' '}
      {unused.map((scope, at) => (
        <>
          {at > 0 && (at === unused.length - 1 ? ' and ' : ', ')}
          <code>{scope}</code>
        </>
      ))}
      . A successor without {unused.length === 1 ? 'it' : 'them'} could do less harm if it leaked.
    </p>
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
