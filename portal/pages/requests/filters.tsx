// The filters of the request log, which are the query of its address.
import { callableIds } from '#contract/callable.ts'
import { requestOutcomes } from '#contract/portal/reads/requests.ts'
import { problemCodesOf } from '#contract/problems.ts'
import type { IntegrationKey } from '#auth/integration-keys.ts'
import { Field, Select } from '#http/html/fields.tsx'
import type { organizationsOf } from '../../for-integration.ts'
import type { MemberCall, Query } from '../../context.ts'

const names = ['operation', 'outcome', 'code', 'credential', 'since', 'until'] as const
const outcomeLabels = {
  answered: 'Answered (2xx)',
  refused: 'Refused (4xx)',
  failed: 'Failed (5xx)',
  error: 'Any error',
} as const

export type Filters = Readonly<Partial<Record<(typeof names)[number] | 'organization', string>>>

/** Those that are set, in the form of the address. */
export function filtersOf({ query }: MemberCall): Filters {
  const given = [...names, 'organization'].map(name => [name, query.get(name)?.trim() ?? ''])
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

/** The inputs of time have no zone: theirs is UTC, as their labels say. Seconds are left out where
 *  they are zero. */
function momentOf(text: string | undefined): string | undefined {
  const [, time, seconds = ':00'] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/.exec(text ?? '') ?? []
  return time === undefined ? text : `${time}${seconds}Z`
}

export const queryOf = (filters: Filters): Query => ({
  operation: filters.operation,
  outcome: filters.outcome,
  code: filters.code,
  credential: filters.credential,
  since: momentOf(filters.since),
  until: momentOf(filters.until),
})

const any = (label: string) => ['', label] as const
const same = (value: string) => [value, value] as const

type FormProps = {
  readonly call: MemberCall
  readonly filters: Filters
  readonly keys: readonly IntegrationKey[]
  readonly organizations: ReturnType<typeof organizationsOf>
  readonly faults: Readonly<Record<string, string | undefined>>
}

/** It works without a script, by its button; with one, each change is applied at once. */
export const FilterForm = ({ call, filters, keys, organizations, faults }: FormProps) => (
  <form
    class="filters"
    method="get"
    action={call.pathOf('requests')}
    hx-get={call.pathOf('requests')}
    hx-trigger="change, submit"
    hx-select="#results"
    hx-target="#results"
    hx-swap="outerHTML"
    hx-push-url="true"
  >
    {organizations.length > 0 && (
      <Select
        name="organization"
        label="Clinic"
        value={filters.organization ?? ''}
        options={organizations.map(({ id, name }) => [id, name] as const)}
      />
    )}
    <Select
      name="outcome"
      label="Outcome"
      value={filters.outcome ?? ''}
      options={[any('Any'), ...requestOutcomes.map(one => [one, outcomeLabels[one]] as const)]}
      fault={faults['outcome']}
    />
    <Select
      name="operation"
      label="Operation"
      value={filters.operation ?? ''}
      options={[any('Any'), ...callableIds.map(same)]}
      fault={faults['operation']}
    />
    <Select
      name="code"
      label="Error code"
      value={filters.code ?? ''}
      options={[any('Any'), ...problemCodesOf('v1').map(same)]}
      fault={faults['code']}
    />
    <Select
      name="credential"
      label="Key"
      value={filters.credential ?? ''}
      options={[any('Any'), ...credentialOptions(keys, filters.credential)]}
      fault={faults['credential']}
    />
    <MomentField name="since" label="From (UTC)" {...{ filters, faults }} />
    <MomentField name="until" label="Before (UTC)" {...{ filters, faults }} />
    <div class="actions">
      <button class="button second small">Filter</button>
      {Object.keys(filters).length > 0 && (
        <a class="clear" href={call.pathOf('requests')}>
          Clear
        </a>
      )}
    </div>
  </form>
)

type MomentProps = Pick<FormProps, 'filters' | 'faults'> & {
  readonly name: 'since' | 'until'
  readonly label: string
}

const MomentField = ({ name, label, filters, faults }: MomentProps) => (
  <Field
    name={name}
    label={label}
    type="datetime-local"
    value={filters[name] ?? ''}
    fault={faults[name]}
    input={{ required: false }}
  />
)

/** An access token is no key, and is listed while it is the one chosen. */
function credentialOptions(keys: readonly IntegrationKey[], chosen: string | undefined) {
  const options = keys.map(({ id, name, last4 }) => [id, `${name} …${last4}`] as const)
  const isKey = chosen === undefined || keys.some(({ id }) => id === chosen)
  return isKey ? options : [...options, same(chosen)]
}

/** Leads to one request by its id. */
export const IdForm = ({ call, fault }: { call: MemberCall; fault: string | undefined }) => (
  <form class="filters" method="get" action={call.pathOf('requests')}>
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
