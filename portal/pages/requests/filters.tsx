// The filters of the request log, which are the query of its address.
import { callableIds } from '#contract/callable.ts'
import { requestOutcomes } from '#contract/portal/reads/requests.ts'
import { problemCodesOf } from '#contract/problems.ts'
import type { IntegrationKey } from '#auth/integration-keys.ts'
import { Field } from '#http/html/fields.tsx'
import type { organizationsOf } from '../../for-integration.ts'
import type { MemberCall, Query } from '../../context.ts'
import { Choice, ClinicChoice, FilterForm, MomentField, same } from '../../frame/filter-form.tsx'
import { filtersOf, momentOf } from '../../newest-page.ts'

const names = ['operation', 'outcome', 'code', 'credential', 'since', 'until'] as const
const outcomeLabels = {
  answered: 'Answered (2xx)',
  refused: 'Refused (4xx)',
  failed: 'Failed (5xx)',
  error: 'Any error',
} as const

export type Filters = Readonly<Partial<Record<(typeof names)[number] | 'organization', string>>>

export const requestFiltersOf = (call: MemberCall): Filters =>
  filtersOf(call, [...names, 'organization'])

export const queryOf = (filters: Filters): Query => ({
  operation: filters.operation,
  outcome: filters.outcome,
  code: filters.code,
  credential: filters.credential,
  since: momentOf(filters.since),
  until: momentOf(filters.until),
})

type FormProps = {
  readonly call: MemberCall
  readonly filters: Filters
  readonly keys: readonly IntegrationKey[]
  readonly organizations: ReturnType<typeof organizationsOf>
  readonly faults: Readonly<Record<string, string | undefined>>
}

export const RequestFilters = ({ call, filters, keys, organizations, faults }: FormProps) => (
  <FilterForm path={call.pathOf('requests')} isFiltered={Object.keys(filters).length > 0}>
    <ClinicChoice organizations={organizations} value={filters.organization} />
    <Choice
      name="outcome"
      label="Outcome"
      value={filters.outcome}
      options={requestOutcomes.map(one => [one, outcomeLabels[one]] as const)}
      fault={faults['outcome']}
    />
    <Choice
      name="operation"
      label="Operation"
      value={filters.operation}
      options={callableIds.map(same)}
      fault={faults['operation']}
    />
    <Choice
      name="code"
      label="Error code"
      value={filters.code}
      options={problemCodesOf('v1').map(same)}
      fault={faults['code']}
    />
    <Choice
      name="credential"
      label="Key"
      value={filters.credential}
      options={credentialOptions(keys, filters.credential)}
      fault={faults['credential']}
    />
    <MomentField name="since" label="From (UTC)" value={filters.since} fault={faults['since']} />
    <MomentField name="until" label="Before (UTC)" value={filters.until} fault={faults['until']} />
  </FilterForm>
)

/** An access token is no key, and is listed while it is the one chosen. */
function credentialOptions(keys: readonly IntegrationKey[], chosen: string | undefined) {
  const options = keys.map(({ id, name, last4 }) => [id, `${name} …${last4}`] as const)
  const isKey = chosen === undefined || keys.some(({ id }) => id === chosen)
  return isKey ? options : [...options, same(chosen)]
}

/** Leads to one request by its id. */
export const IdForm = ({ call, fault }: { call: MemberCall; fault: string | undefined }) => (
  <form class="filters find" method="get" action={call.pathOf('requests')}>
    <Field
      name="id"
      label="Request id"
      value={call.query.get('id') ?? ''}
      fault={fault}
      class="code"
      hint="The Request-Id header of a response, or request_id in an error."
      input={{ placeholder: 'req_', spellcheck: false }}
    />
    <button class="button second small">Open</button>
  </form>
)
