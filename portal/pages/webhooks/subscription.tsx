// The part of a form that chooses an endpoint's or a destination's events.
import { Field } from '#http/html/fields.tsx'
import { EventTypeChoice, eventTypesOf } from './event-types.tsx'

export type Subscription = {
  readonly description: string | null
  readonly event_types: readonly string[]
  readonly include_resource: boolean
}

/** The events sent to an endpoint or a destination. */
export const SubscriptionFields = (props: {
  given: Subscription
  faults: Readonly<Record<string, string | undefined>>
}) => {
  const { given, faults } = props
  return (
    <>
      <Field
        name="description"
        label="Description"
        value={given.description ?? ''}
        fault={faults['description']}
        isOptional
        input={{ maxlength: 500 }}
      />
      <EventTypeChoice chosen={given.event_types} fault={faults['event_types']} />
      <fieldset>
        <legend>Data</legend>
        <div class="choice">
          <input
            type="checkbox"
            id="include_resource"
            name="include_resource"
            value="true"
            checked={given.include_resource}
          />
          <label for="include_resource">
            Include the resource in each event
            <span class="hint">
              Includes patient data as of that time. Without it, events carry only IDs and statuses.
            </span>
          </label>
        </div>
      </fieldset>
    </>
  )
}

export const everything: Subscription = {
  description: null,
  event_types: ['*'],
  include_resource: false,
}

export const subscriptionOf = (form: URLSearchParams): Subscription => {
  const description = (form.get('description') ?? '').trim()
  return {
    description: description === '' ? null : description,
    event_types: eventTypesOf(form),
    include_resource: form.get('include_resource') === 'true',
  }
}
