// Waiting work on every page: counts in the navigation and the title, and a patient in the video
// room. `browser/work.ts` checks again every few seconds.
import type { WorkList } from '#auth/clinics/work.ts'
import { countText } from '#http/html/counts.ts'
import { Heading } from '#http/html/parts.tsx'
import { timeIn } from '#http/html/zone.tsx'
import type { ConsoleCall, ConsoleHandler, SignedInCall } from '../context.ts'
import { type PageId, table } from '../table.ts'

/** The list that each page refreshes by itself. */
const lists = {
  queue: 'cases',
  decided: 'cases',
  messages: 'cases',
  orders: 'orders',
  visits: 'visits',
  grants: 'grants',
} as const satisfies Partial<Record<PageId, WorkList>>

type List = keyof typeof lists

const isList = (row: string): row is List => Object.hasOwn(lists, row)

/** The current page. A script's request for `work` names its own page. */
const pageShown = ({ row, query }: SignedInCall): string =>
  row === 'work' ? (query.get('of') ?? '') : table.pageOf(row)

/** The page's list, or null if it has none. */
export function listOf(call: SignedInCall): WorkList | null {
  const page = pageShown(call)
  return isList(page) ? lists[page] : null
}

/** The amount of waiting work on each page in the navigation. */
export function countsOf({ work, mayOpen }: ConsoleCall): Partial<Record<PageId, number>> {
  if (work === null) return {}
  return {
    ...(mayOpen('claim') && { queue: work.cases }),
    ...(mayOpen('dismiss') && { messages: work.messages }),
    ...(mayOpen('ship') && { orders: work.orders }),
    ...(mayOpen('joinVisit') && { visits: work.waiting.length }),
    ...(mayOpen('grants') && { grants: work.grants }),
  }
}

/** `(3) ` before the title of a page with waiting work. */
export function titleCount(call: ConsoleCall): string {
  const total = Object.values(countsOf(call)).reduce((sum, count) => sum + count, 0)
  return total === 0 ? '' : `(${countText(total)}) `
}

export function WorkNote({ call }: { call: ConsoleCall }) {
  const { work } = call
  if (work === null) return null
  // A second window would take over the visit that the room's page shows.
  const shown = call.row === 'joinVisit' ? call.names['id'] : call.query.get('visit')
  const waiting = work.waiting.filter(({ id }) => id !== shown)
  return (
    <div
      id="work"
      data-path={call.pathOf('work', {}, { of: pageShown(call), visit: shown ?? undefined })}
      data-mark={work.mark ?? undefined}
      data-title={titleCount(call)}
      aria-live="polite"
    >
      {call.mayOpen('joinVisit') &&
        waiting.map(({ id, starts_at }) => (
          <p key={id} class="note waiting" role="status">
            <span>
              A patient is waiting for your {timeIn(starts_at, call.zone, { timeOnly: true })}{' '}
              visit.
            </span>
            <a
              class="button small"
              href={call.pathOf('joinVisit', { id })}
              target="_blank"
              rel="noreferrer"
            >
              Open video room
            </a>
          </p>
        ))}
    </div>
  )
}

/** Serves the counts as a page of their own. */
export const showWork: ConsoleHandler = (_, call) => {
  const counts = Object.entries(countsOf(call)) as [PageId, number][]
  return {
    title: 'Your work',
    content: (
      <>
        <Heading title="Your work" />
        {counts.length === 0 ? (
          <p class="quiet">Nothing is waiting for you.</p>
        ) : (
          <ul>
            {counts.map(([id, count]) => (
              <li key={id}>
                <a href={call.pathOf(id)}>{table.rows[id].title}</a>: {countText(count)}
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  }
}
