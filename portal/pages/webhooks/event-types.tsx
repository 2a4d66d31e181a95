// An endpoint's event types: checkboxes grouped by resource, and one for all types.
import type { ComponentChildren } from 'preact'
import { eventTypes, resourceOf } from '#contract/events.ts'
import { Fault } from '#http/html/fields.tsx'

const groups = [...Map.groupBy(eventTypes, resourceOf)]

const Choice = (props: { value: string; chosen: readonly string[]; label: ComponentChildren }) => (
  <div class="choice">
    <input
      type="checkbox"
      name="event_types"
      id={`type-${props.value}`}
      value={props.value}
      checked={props.chosen.includes(props.value)}
    />
    <label for={`type-${props.value}`}>{props.label}</label>
  </div>
)

/** The middle of a type: for `case.in_review.v1`, `in_review`. */
const changeOf = (type: string) => type.split('.')[1] ?? type

export const EventTypeChoice = (props: {
  chosen: readonly string[]
  fault?: string | undefined
}) => (
  <fieldset class="event-types">
    <legend>Events</legend>
    <Fault name="event_types" fault={props.fault} />
    <Choice value="*" chosen={props.chosen} label="All, including future types" />
    {groups.map(([resource, types]) => (
      <fieldset key={resource}>
        <legend>{resource.replaceAll('_', ' ')}</legend>
        <div class="choices">
          {types.map(type => (
            <Choice key={type} value={type} chosen={props.chosen} label={changeOf(type)} />
          ))}
        </div>
      </fieldset>
    ))}
  </fieldset>
)

/** The types chosen in a form. “All” overrides any single type. */
export const eventTypesOf = (form: URLSearchParams): string[] => {
  const chosen = form.getAll('event_types')
  return chosen.includes('*') ? ['*'] : chosen
}

export const eventTypesText = (types: readonly string[]): string =>
  types.includes('*') ? 'All' : types.length <= 2 ? types.join(', ') : `${types.length}\u00a0types`

/** Types grouped by resource, for a list with one choice. */
export const EventTypeSelect = () => (
  <div class="field">
    <label for="type">Event type</label>
    <select id="type" name="type">
      {groups.map(([resource, types]) => (
        <optgroup key={resource} label={resource.replaceAll('_', ' ')}>
          {types.map(type => (
            <option key={type} value={type} selected={type === 'order.shipped.v1'}>
              {type}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  </div>
)
