// The lists of cases.
import type { ConsoleCall } from '../../context.ts'

const tabs = [
  ['open', 'Open'],
  ['mine', 'Mine'],
  ['waiting', 'Waiting'],
] as const

export type CaseTab = (typeof tabs)[number][0] | 'messages' | 'decided'

export const CaseTabs = ({ call, current }: { call: ConsoleCall; current: CaseTab }) => (
  <nav class="tabs" aria-label="Cases">
    {tabs.map(
      ([view, label]) =>
        (view !== 'mine' || call.mayOpen('claim')) && (
          <a
            key={view}
            href={call.pathOf('queue', {}, view === 'open' ? {} : { view })}
            aria-current={view === current ? 'page' : undefined}
          >
            {label}
          </a>
        ),
    )}
    {(['messages', 'decided'] as const).map(row => (
      <a key={row} href={call.pathOf(row)} aria-current={row === current ? 'page' : undefined}>
        {row === 'messages' ? 'Messages' : 'Decided'}
      </a>
    ))}
  </nav>
)
