// A list's filters. A button applies the filters; where scripts run, each change applies
// immediately.
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { now } from '#database/clock.ts'
import { Field, Select } from './fields.tsx'
import { Time } from './parts.tsx'
import { Zone, zoneName } from './zone.tsx'

type FilterFormProps = {
  /** The list's URL. The list's results have the id `results`. */
  readonly path: string
  readonly isFiltered: boolean
  /** Folded until someone opens it; the list then shows the chosen filters as `FilterChips`. */
  readonly isFolded?: boolean
  /** Opens a folded form if a filter is invalid. */
  readonly isOpen?: boolean
  readonly children: ComponentChildren
}

export const FilterForm = (props: FilterFormProps) =>
  props.isFolded === true ? (
    <details class="filter-fold" open={props.isOpen}>
      <summary class="button second small">Filter</summary>
      <Filters {...props} isFiltered={false} />
    </details>
  ) : (
    <Filters {...props} />
  )

const Filters = ({ path, isFiltered, children }: FilterFormProps) => (
  <form
    class="filters"
    method="get"
    action={path}
    hx-get={path}
    hx-trigger="change, submit"
    hx-select="#results"
    hx-target="#results"
    hx-swap="outerHTML"
    hx-push-url="true"
  >
    {children}
    <div class="actions">
      <button class="button second small">Filter</button>
      {isFiltered && (
        <a class="clear" href={path}>
          Clear
        </a>
      )}
    </div>
  </form>
)

export type Chip = {
  readonly label: string
  readonly value: string
  /** The list without this filter. */
  readonly href: string
}

/** A date and time from an input, without a zone. Filters read the text as UTC. */
const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

/** The chosen filters; a click removes one. `path` is the list without filters. */
export const FilterChips = ({ path, chips }: { path: string; chips: readonly Chip[] }) =>
  chips.length === 0 ? null : (
    <ul class="chips" aria-label="Filters">
      {chips.map(({ label, value, href }) => (
        <li key={label}>
          <a href={href} aria-label={`Remove filter ${label}: ${value}`}>
            <span>
              {label}: {isMoment.test(value) ? <Time at={`${value}Z`} /> : value}
            </span>
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      <li>
        <a class="chips-clear" href={path}>
          Clear
        </a>
      </li>
    </ul>
  )

type OneFilter = {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly fault?: string | undefined
}

export const same = (value: string) => [value, value] as const

/** A choice that may stay empty. */
export const Choice = (
  props: OneFilter & {
    readonly options: readonly (readonly [value: string, label: string])[]
    /** The label of the empty choice. */
    readonly any?: string
  },
) => (
  <Select
    name={props.name}
    label={props.label}
    value={props.value ?? ''}
    options={[['', props.any ?? 'Any'], ...props.options]}
    fault={props.fault}
  />
)

type MomentFieldsProps = {
  readonly since: string | undefined
  readonly until: string | undefined
  readonly faults: Readonly<Record<string, string | undefined>>
  readonly untilLabel?: string
}

/** Start and end of a period, kept on one line. */
export const MomentFields = ({ since, until, faults, ...labels }: MomentFieldsProps) => {
  const zone = useContext(Zone)
  const name = zone === null ? 'UTC' : zoneName(now(), zone)
  return (
    <div class="moments">
      <MomentField name="since" label={`From (${name})`} value={since} fault={faults['since']} />
      <MomentField
        name="until"
        label={labels.untilLabel ?? `Before (${name})`}
        value={until}
        fault={faults['until']}
      />
    </div>
  )
}

const MomentField = ({ name, label, value, fault }: OneFilter) => (
  <Field
    name={name}
    label={label}
    type="datetime-local"
    value={value ?? ''}
    fault={fault}
    input={{ required: false, ...(useContext(Zone) === null && { 'data-utc': '' }) }}
  />
)
