// How the pages say what a machine calls by an identifier.
import { allScopes, scopes } from '#contract/scopes.ts'

/** The scopes in words, in the order in which they are published, each with its name. */
export const ScopeList = ({
  asked,
  missing = [],
}: {
  asked: readonly string[]
  missing?: readonly string[]
}) => (
  <ul class="scopes">
    {allScopes
      .filter(scope => asked.includes(scope))
      .map(scope => {
        const [first = '', ...rest] = scopes[scope]
        const isMissing = missing.includes(scope)
        return (
          <li key={scope} class={isMissing ? 'missing' : undefined}>
            <span>
              {first.toUpperCase() + rest.join('')}
              {isMissing && <strong> (not yours to give)</strong>}
            </span>{' '}
            <code>{scope}</code>
          </li>
        )
      })}
  </ul>
)

const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** Without a script, a page does not know the reader's time zone. */
export const Moment = ({ at }: { at: string }) => (
  <time datetime={at}>{`${format.format(new Date(at))} UTC`}</time>
)

/** For times of minutes ago. */
export function agoText(moment: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(moment)) / 60_000)
  if (minutes < 1) return 'Less than a minute ago'
  return minutes === 1 ? 'A minute ago' : `${minutes} minutes ago`
}
