// The clinic filter.
import { Hidden, Select } from '#http/html/fields.tsx'
import type { Query } from '#http/pages/table.ts'
import type { MemberCall } from '../context.ts'
import { chosenClinic } from '../for-clinic.ts'
import type { organizationsOf } from '../for-integration.ts'
import type { PageId } from '../table.ts'

type Organizations = ReturnType<typeof organizationsOf>

/** If several clinics granted access, one is always selected. */
export const ClinicChoice = (props: { organizations: Organizations; value: string | undefined }) =>
  props.organizations.length === 0 ? null : (
    <Select
      name="organization"
      label="Clinic"
      value={props.value ?? ''}
      options={props.organizations.map(({ id, name }) => [id, name] as const)}
    />
  )

/** Keeps the chosen clinic in a form of other filters. */
export const KeptClinic = ({ call }: { call: MemberCall }) => {
  const clinic = chosenClinic(call)
  return clinic === undefined ? null : <Hidden name="organization" value={clinic} />
}

type FormProps = {
  readonly call: MemberCall
  readonly row: PageId
  readonly organizations: Organizations
  /** A list's other filters, which another clinic keeps. When they change, so does this form. */
  readonly filters?: Query
}

/** Opens the page for another clinic. */
export const ClinicForm = ({ call, row, organizations, filters }: FormProps) =>
  organizations.length === 0 ? null : (
    <form
      class="filters"
      method="get"
      action={call.pathOf(row)}
      {...(filters && { id: 'clinic', 'hx-swap-oob': 'outerMorph' })}
    >
      {Object.entries(filters ?? {}).map(([name, value]) => (
        <Hidden key={name} name={name} value={value ?? ''} />
      ))}
      <ClinicChoice organizations={organizations} value={chosenClinic(call)} />
      <button class="button second small">Show</button>
    </form>
  )
