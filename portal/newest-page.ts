// Lists that start with the newest item. The URL's query has a list's filters and position.
import type { PortalRowId } from '#contract/portal/table.ts'
import type { Chip } from '#http/html/filter-form.tsx'
import type { MemberCall } from './context.ts'
import type { Query } from '#http/pages/table.ts'

export const pageSize = 25

/** Returns the named filters that are set. */
export function filtersOf<N extends string>(
  { query }: Pick<MemberCall, 'query'>,
  names: readonly N[],
): Readonly<Partial<Record<N, string>>> {
  const given = names.map(name => [name, query.get(name)?.trim() ?? ''] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as Partial<Record<N, string>>
}

/** The chosen filters as chips, in the order of `labels`. Filters without a label get no chip. */
export function chipsOf(
  call: Pick<MemberCall, 'pathOf'>,
  row: PortalRowId,
  filters: Query,
  labels: Readonly<Record<string, string>>,
  wordOf: (name: string, value: string) => string = (_, value) => value,
): readonly Chip[] {
  return Object.entries(labels).flatMap(([name, label]) => {
    const value = filters[name]
    if (value === undefined) return []
    const rest = Object.entries(filters).filter(([other]) => other !== name)
    const href = call.pathOf(row, {}, Object.fromEntries(rest))
    return [{ label, value: wordOf(name, value), href }]
  })
}

/** The page's position, for reading the list. */
export const positionOf = ({ query }: Pick<MemberCall, 'query'>): Query => ({
  before: query.get('before') ?? undefined,
  after: query.get('after') ?? undefined,
  limit: String(pageSize),
})

export const isPaged = ({ query }: Pick<MemberCall, 'query'>) =>
  query.has('before') || query.has('after')

/** Returns the items shown on a page. The read requests one extra item to see whether another page
 *  follows. */
export function newestPageOf<T extends { readonly id: string }>(
  call: MemberCall,
  row: PortalRowId,
  filters: Query,
  items: readonly T[],
) {
  const isNewer = call.query.has('after')
  const hasMore = items.length > pageSize
  const shown = isNewer ? items.slice(-pageSize) : items.slice(0, pageSize)
  const at = (cursor: Query) => call.pathOf(row, {}, { ...filters, ...cursor })
  const hasNewer = isNewer ? hasMore : call.query.has('before')
  const hasOlder = isNewer || hasMore
  return {
    shown,
    newer: hasNewer ? at({ after: shown[0]?.id }) : null,
    older: hasOlder ? at({ before: shown.at(-1)?.id }) : null,
    /** The URL that lists the items after a first page's newest item, to find newer items. */
    since: hasNewer || shown[0] === undefined ? null : at({ after: shown[0].id }),
    /** How many items are newer than this page. */
    newerCount: isNewer ? shown.length : 0,
    isCountCut: isNewer && hasMore,
    first: at({}),
  }
}
