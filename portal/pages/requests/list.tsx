// The request log, newest first.
import { isId, prefixes } from '#contract/ids.ts'
import type { ApiResult, MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { callForClinic } from '../../for-clinic.ts'
import { Address, Ago, Copyable, Empty, Heading, Id, Pager, Table } from '#http/html/parts.tsx'
import { chipsOf, isPaged, newestPageOf, positionOf } from '../../newest-page.ts'
import { faultsOf } from '../../form-faults.ts'
import { refused } from '../../refused.tsx'
import { FilterChips } from '#http/html/filter-form.tsx'
import { ClinicForm } from '../../frame/clinic-choice.tsx'
import { LiveNote } from '../../frame/live-note.tsx'
import { curlOf } from '../../curl.ts'
import {
  filterLabels,
  type Filters,
  outcomeLabels,
  queryOf,
  RequestFilters,
  requestFiltersOf,
} from './filters.tsx'
import { actorsOf, namesIn } from './actors.ts'
import { StatusBadge } from './status.tsx'
import { calledName, routeOf, surfaceName } from '../surfaces.ts'

type RequestsResult = ApiResult<'listNewestRequests'>
type Requests = Extract<RequestsResult, { problem: null }>['value']['data']

export const showRequests: PortalHandler = async (portal, call) => {
  const filters = requestFiltersOf(call)
  const { target: id = '' } = filters
  if (isId(prefixes.request, id)) {
    // The ID may be another clinic's.
    return { redirect: call.pathOf('request', { id }, { organization: undefined }) }
  }
  const { found, organizations } = await findRequests(call, filters)
  if (found.problem !== null && found.problem.code !== 'invalid_request') {
    return refused(call, 'Requests', found.problem)
  }
  const actors = await actorsOf(portal, call)
  const faults = found.problem === null ? {} : faultsOf(found.problem)
  const names = await namesIn(portal, call, found)
  return {
    title: 'Requests',
    status: found.problem === null ? 200 : 422,
    content: (
      <>
        <Heading
          title="Requests"
          lead="API requests from the last 30 days, delayed about a second. We don’t store request values."
        />
        <ClinicForm {...{ call, row: 'requests', organizations, filters }} />
        <RequestFilters {...{ call, filters, faults, ...actors }} />
        <div id="results">
          <FilterChips
            path={call.pathOf('requests')}
            chips={chipsOf(call, 'requests', filters, filterLabels, wordsOf(actors))}
          />
          {found.problem === null ? (
            <Results {...{ portal, call, filters, requests: found.value.data, names }} />
          ) : (
            <p class="note">Fix the marked filter to see requests.</p>
          )}
        </div>
      </>
    ),
  }
}

/** The names of keys, clients and people, and the words for outcomes. */
const wordsOf =
  ({ keys, clients, persons }: Awaited<ReturnType<typeof actorsOf>>) =>
  (name: string, value: string): string => {
    if (name === 'outcome') return outcomeLabels[value as keyof typeof outcomeLabels] ?? value
    if (name === 'credential') return keys.find(({ id }) => id === value)?.name ?? value
    if (name === 'client') return clients.get(value) ?? value
    if (name === 'person') return persons.get(value) ?? value
    return name === 'surface' ? surfaceName(value) : value
  }

const findRequests = (call: MemberCall, filters: Filters) =>
  callForClinic(call, 'listNewestRequests', { query: { ...queryOf(filters), ...positionOf(call) } })

type ResultsProps = {
  readonly portal: PortalContext
  readonly call: MemberCall
  readonly filters: Filters
  readonly requests: Requests
  /** Names of clients and people, by ID. */
  readonly names: ReadonlyMap<string, string>
}

function Results({ portal, call, filters, requests, names }: ResultsProps) {
  if (requests.length === 0 && (Object.keys(filters).length > 0 || isPaged(call))) {
    return (
      <p class="quiet">
        No matching requests. <a href={call.pathOf('requests')}>Clear filters</a>
      </p>
    )
  }
  if (requests.length === 0) return <NoRequest portal={portal} />
  const { shown, older, newer, ...live } = newestPageOf(call, 'requests', filters, requests)
  return (
    <>
      <LiveNote {...live} />
      <Table
        caption="Requests"
        head={['Request', 'Status', 'Caller', 'Time', 'Duration']}
        rows={shown.map(one => rowOf(call, one, names))}
      />
      <Pager older={older} newer={newer} />
    </>
  )
}

const rowOf = (call: MemberCall, one: Requests[number], names: ResultsProps['names']) => [
  <>
    <a href={call.pathOf('request', { id: one.id })}>
      <code>
        <Address of={calledName(one)} />
      </code>
    </a>
    <div class="fine">{one.surface === 'mcp' ? `Tool server, ${routeOf(one)}` : one.operation}</div>
    {one.target !== null && (
      <div class="fine">
        <Id of={one.target} />
      </div>
    )}
  </>,
  <StatusBadge request={one} />,
  <Caller of={one} names={names} />,
  <Ago at={one.created_at} />,
  `${one.duration_ms.toLocaleString('en-US')} ms`,
]

/** The key, or the OAuth client and the person it acts for. */
function Caller({ of, names }: { of: Requests[number]; names: ResultsProps['names'] }) {
  const { client, person, credential } = of
  if (client !== null) {
    return (
      <>
        “{names.get(client) ?? client}”
        {person !== null && <div class="fine">for {names.get(person) ?? 'a member'}</div>}
      </>
    )
  }
  if (credential === null) return <span class="quiet">Deleted</span>
  return (
    <>
      {credential.name} <code>{`…${credential.last4}`}</code>
    </>
  )
}

const NoRequest = ({ portal }: { portal: PortalContext }) => (
  <Empty title="No requests yet">
    <p>Send a request with your key. It shows up here a second later, even if it’s refused.</p>
    <Copyable
      label="First request"
      text={curlOf('getOrganization', { api: portal.api, key: '' })}
    />
  </Empty>
)
