// A time zone, searchable by city or name.
import { Field } from '#http/html/fields.tsx'

const nameOf = (zone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone

let options: readonly (readonly [zone: string, name: string])[] | undefined

/** Created once, when the first form needs it. */
const allOptions = () =>
  (options ??= Intl.supportedValuesOf('timeZone').map(zone => [zone, nameOf(zone)] as const))

export const zoneFault = 'Choose a time zone from the list, such as America/Chicago.'

type ZoneFieldProps = {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly hint?: string
  readonly fault?: string | undefined
  readonly isOptional?: boolean
}

export const ZoneField = (props: ZoneFieldProps) => (
  <>
    <Field
      {...props}
      hint={props.hint ?? 'Search by city, such as Chicago.'}
      input={{ list: `${props.name}-list`, maxlength: 64, spellcheck: false }}
    />
    <datalist id={`${props.name}-list`}>
      {allOptions().map(([zone, name]) => (
        <option key={zone} value={zone}>
          {name}
        </option>
      ))}
    </datalist>
  </>
)
