// Lists of keys, clients, agents and devices, page by page. Only active credentials are shown
// unless the URL has another status.
import type { PortalRowId } from '#contract/portal/table.ts'
import type { ComponentChildren } from 'preact'
import type { MemberCall } from '../../context.ts'
import { FilterForm } from '#http/html/filter-form.tsx'
import { Pager } from '#http/html/parts.tsx'
import { Field, Select } from '#http/html/fields.tsx'
import { filtersOf, newestPageOf, pageSize } from '../../newest-page.ts'

type NamedItem = { readonly id: string; readonly name: string }

type ListProps<T extends NamedItem> = {
  readonly call: MemberCall
  readonly row: PortalRowId
  /** All items, newest first. */
  readonly items: readonly T[]
  /** If absent, inactive items aren't listed at all. */
  readonly isWorking?: (item: T) => boolean
  readonly children: (shown: readonly T[]) => ComponentChildren
}

const states = [
  ['', 'Active'],
  ['ended', 'Inactive'],
  ['all', 'All'],
] as const

export function CredentialList<T extends NamedItem>(props: ListProps<T>) {
  const { call, row, items, isWorking, children } = props
  const filters = filtersOf(call, ['state', 'name'])
  const { state, name = '' } = filters
  const found = items
    .filter(
      item => isWorking === undefined || state === 'all' || isWorking(item) === (state !== 'ended'),
    )
    .filter(item => item.name.toLowerCase().includes(name.toLowerCase()))
  const page = newestPageOf(call, row, filters, around(call, found))
  return (
    <>
      <FilterForm path={call.pathOf(row)} isFiltered={state !== undefined || name !== ''}>
        <Field name="name" label="Name" value={name} input={{ required: false }} />
        {isWorking !== undefined && (
          <Select name="state" label="Status" value={state ?? ''} options={states} />
        )}
      </FilterForm>
      <div id="results">
        {found.length === 0 ? <p class="quiet">No matches.</p> : children(page.shown)}
        <Pager older={page.older} newer={page.newer} />
      </div>
    </>
  )
}

/** A page of items plus one more, before or after the item in the URL. */
function around<T extends NamedItem>({ query }: MemberCall, found: readonly T[]): readonly T[] {
  const cursor = query.get('after') ?? query.get('before')
  const at = found.findIndex(({ id }) => id === cursor)
  return query.has('after') && at >= 0
    ? found.slice(Math.max(0, at - pageSize - 1), at)
    : found.slice(at + 1, at + 2 + pageSize)
}
