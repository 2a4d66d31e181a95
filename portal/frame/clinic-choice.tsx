// The clinic filter.
import { Select } from '#http/html/fields.tsx'
import type { organizationsOf } from '../for-integration.ts'

/** If several clinics granted access, one is always selected. */
export const ClinicChoice = (props: {
  organizations: ReturnType<typeof organizationsOf>
  value: string | undefined
}) =>
  props.organizations.length === 0 ? null : (
    <Select
      name="organization"
      label="Clinic"
      value={props.value ?? ''}
      options={props.organizations.map(({ id, name }) => [id, name] as const)}
    />
  )
