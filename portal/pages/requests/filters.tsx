// The request log's filters, which are in the URL's query.
import { momentOf } from '#http/html/form-text.ts'
import { loggedIds } from '#contract/callable.ts'
import { requestOutcomes } from '#contract/portal/reads/requests.ts'
import { requestSurfaces } from '#contract/preview/requests.ts'
import { problemCodesOf } from '#contract/problems.ts'
import type { IntegrationKey } from '#auth/integration-keys.ts'
import { Field } from '#http/html/fields.tsx'
import type { MemberCall } from '../../context.ts'
import type { Query } from '#http/pages/table.ts'
import { Choice, FilterForm, MomentFields, same } from '#http/html/filter-form.tsx'
import { KeptClinic } from '../../frame/clinic-choice.tsx'
import { filtersOf } from '../../newest-page.ts'
import { surfaceName } from '../surfaces.ts'

const names = [
  'target',
  'operation',
  'outcome',
  'code',
  'credential',
  'client',
  'person',
  'surface',
  'since',
  'until',
] as const
export const outcomeLabels = {
  answered: 'Succeeded (2xx)',
  refused: 'Refused (4xx)',
  failed: 'Failed (5xx)',
  error: 'Any error',
} as const

export const filterLabels = {
  target: 'ID',
  outcome: 'Outcome',
  operation: 'Operation',
  code: 'Error code',
  credential: 'Key',
  client: 'Agent or client',
  person: 'Acting for',
  surface: 'Via',
  since: 'From',
  until: 'Before',
} as const

export type Filters = Readonly<Partial<Record<(typeof names)[number], string>>>

export const requestFiltersOf = (call: MemberCall): Filters => filtersOf(call, names)

export const queryOf = ({ since, until, ...others }: Filters): Query => ({
  ...others,
  since: momentOf(since),
  until: momentOf(until),
})

type FormProps = {
  readonly call: MemberCall
  readonly filters: Filters
  readonly keys: readonly IntegrationKey[]
  /** Names of OAuth clients, agents and devices, and of people, by ID. */
  readonly clients: ReadonlyMap<string, string>
  readonly persons: ReadonlyMap<string, string>
  readonly faults: Readonly<Record<string, string | undefined>>
}

export const RequestFilters = ({ call, filters, keys, ...given }: FormProps) => (
  <FilterForm
    path={call.pathOf('requests', {}, { organization: undefined })}
    isFiltered={Object.keys(filters).length > 0}
    isFolded
    isOpen={Object.keys(given.faults).length > 0}
  >
    <KeptClinic call={call} />
    <Field
      name="target"
      label="ID"
      value={filters.target ?? ''}
      fault={given.faults['target']}
      class="code"
      input={{ required: false, placeholder: 'req_, case_ or pat_', spellcheck: false }}
    />
    <Choice
      name="outcome"
      label="Outcome"
      value={filters.outcome}
      options={requestOutcomes.map(one => [one, outcomeLabels[one]] as const)}
      fault={given.faults['outcome']}
    />
    <Choice
      name="operation"
      label="Operation"
      value={filters.operation}
      options={loggedIds.map(same)}
      fault={given.faults['operation']}
    />
    <Choice
      name="code"
      label="Error code"
      value={filters.code}
      options={problemCodesOf('v1').map(same)}
      fault={given.faults['code']}
    />
    <CallerFilters filters={filters} keys={keys} {...given} />
    <MomentFields since={filters.since} until={filters.until} faults={given.faults} />
  </FilterForm>
)

const CallerFilters = ({ filters, keys, ...given }: Omit<FormProps, 'call'>) => (
  <>
    <Choice
      name="credential"
      label="Key"
      value={filters.credential}
      options={withChosen(
        keys.map(({ id, name, last4 }) => [id, `${name} …${last4}`] as const),
        filters.credential,
      )}
      fault={given.faults['credential']}
    />
    <Choice
      name="client"
      label="Agent or client"
      value={filters.client}
      options={withChosen([...given.clients], filters.client)}
      fault={given.faults['client']}
    />
    {given.persons.size > 0 && (
      <Choice
        name="person"
        label="Acting for"
        value={filters.person}
        options={withChosen([...given.persons], filters.person)}
        fault={given.faults['person']}
      />
    )}
    <Choice
      name="surface"
      label="Via"
      value={filters.surface}
      options={requestSurfaces.map(one => [one, surfaceName(one)] as const)}
      fault={given.faults['surface']}
    />
  </>
)

/** Adds the chosen value to the options if it's missing, such as a revoked key or an access token's
 *  ID. */
const withChosen = (
  options: readonly (readonly [id: string, label: string])[],
  chosen: string | undefined,
) =>
  chosen === undefined || options.some(([id]) => id === chosen)
    ? options
    : [...options, same(chosen)]
