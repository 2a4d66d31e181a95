// Advice to drop unused scopes, with a link to the page that creates a narrower replacement.
import type { Scope } from '#contract/scopes.ts'
import type { Advice } from './advice.ts'

type NarrowerProps = {
  readonly advice: Advice
  /** The page that creates the narrower replacement. */
  readonly href: string
  readonly label: string
}

export const Narrower = ({ advice: { unused }, href, label }: NarrowerProps) => (
  <section class="advice">
    <h2>Unused scopes</h2>
    <p>
      Not used in the last 30 days:{' '}
      {unused.map((scope, at) => (
        <>
          {at > 0 && (at === unused.length - 1 ? ' and ' : ', ')}
          <code>{scope}</code>
        </>
      ))}
      . Without {unused.length === 1 ? 'it' : 'them'}, a leak does less damage.
    </p>
    <p class="actions">
      <a class="button second" href={href}>
        {label}
      </a>
    </p>
  </section>
)

/** The scopes in a URL, such as a narrower successor's. */
export const scopesParameter = (given: readonly Scope[]): string => given.join(' ')
export const scopesFromQuery = (query: URLSearchParams, offered: readonly Scope[]): Scope[] => {
  const asked = (query.get('scopes') ?? '').split(' ')
  return offered.filter(scope => asked.includes(scope))
}
