// The filters of a list: they work without a script, by a button; with one, each change is applied
// at once.
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { now } from '#database/clock.ts'
import { Field, Select } from './fields.tsx'
import { Zone, zoneName } from './zone.tsx'

type FilterFormProps = {
  /** The address of the list, whose results have the id `results`. */
  readonly path: string
  readonly isFiltered: boolean
  readonly children: ComponentChildren
}

export const FilterForm = ({ path, isFiltered, children }: FilterFormProps) => (
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

type OneFilter = {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly fault?: string | undefined
}

export const same = (value: string) => [value, value] as const

/** A choice that may be left open. */
export const Choice = (
  props: OneFilter & {
    readonly options: readonly (readonly [value: string, label: string])[]
    /** What the open choice is called. */
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

/** From when and before when; the two stay in one line. */
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
    input={{ required: false }}
  />
)
