// Formats identifiers and times for people.
import { allScopes, scopes } from '#contract/scopes.ts'

/** Scopes with their descriptions and names, in published order. */
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
              {isMissing && <strong> (you can’t grant this)</strong>}
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

/** Non-breaking spaces keep AM, PM and the zone with their time. */
const textOf = (at: string) =>
  `${format.format(new Date(at))} UTC`.replaceAll(/\s(?=[AP]M|\S+$)/g, '\u00a0')

/** A time for pages with scripts, which show it in the reader's time zone. */
export const LocalMoment = ({ at }: { at: string }) => (
  <time datetime={at} data-zoned>
    {textOf(at)}
  </time>
)

/** A time for pages without scripts, shown in UTC. */
export const Moment = ({ at }: { at: string }) => <time datetime={at}>{textOf(at)}</time>

/** Formats how many minutes ago something happened. */
export function agoText(moment: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(moment)) / 60_000)
  return minutes < 1 ? 'Just now' : `${minutes} min ago`
}
