// The request log, the newest call first.
import { isId, prefixes } from '#contract/ids.ts'
import { listIntegrationKeys } from '#auth/integration-keys.ts'
import type { ApiResult, MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { organizationsOf } from '../../for-integration.ts'
import { Copyable, Empty, Heading, Pager, Table, Time } from '../../frame/parts.tsx'
import { faultsOf, refused } from '../../refused.tsx'
import { curlOf } from '../../curl.ts'
import { FilterForm, type Filters, filtersOf, IdForm, queryOf } from './filters.tsx'
import { StatusBadge } from './status.tsx'

type Found = ApiResult<'listNewestRequests'>
type Requests = Extract<Found, { problem: null }>['value']['data']

const pageSize = 25

export const showRequests: PortalHandler = async (portal, call) => {
  const id = call.query.get('id')?.trim() ?? ''
  if (isId(prefixes.request, id)) return { redirect: call.pathOf('request', { id }) }
  const filters = filtersOf(call)
  const { found, organizations } = await findRequests(call, filters)
  if (found.problem !== null && found.problem.code !== 'invalid_request') {
    return refused('Requests', found.problem)
  }
  const keys = await listIntegrationKeys(portal.pool, call.member.integration, call.mode)
  const faults = found.problem === null ? {} : faultsOf(found.problem)
  return {
    title: 'Requests',
    status: found.problem === null && id === '' ? 200 : 422,
    content: (
      <>
        <Heading
          title="Requests"
          lead="Every call of your keys and access tokens in the last 30 days, about a second after its response. No value of a request is kept."
        />
        <IdForm
          call={call}
          fault={
            id === '' ? undefined : 'Request id must begin with req_ and have 26 characters more.'
          }
        />
        <FilterForm {...{ call, filters, keys, organizations, faults }} />
        <div id="results">
          {found.problem === null ? (
            <Results {...{ portal, call, filters, requests: found.value.data }} />
          ) : (
            <p class="note">No call can match: fix the filter that is marked.</p>
          )}
        </div>
      </>
    ),
  }
}

/** Where several clinics granted access, the calls for one of them are listed: the first, until
 *  another one is chosen. */
async function findRequests(call: MemberCall, filters: Filters) {
  const { organization = null } = filters
  const query = {
    ...queryOf(filters),
    before: call.query.get('before') ?? undefined,
    after: call.query.get('after') ?? undefined,
    limit: String(pageSize),
  }
  // Without one, the refusal names those that a member may choose from.
  const found = await call.api('listNewestRequests', { query })
  if (found.problem?.code !== 'organization_required') return { found, organizations: [] }
  const organizations = organizationsOf(found.problem)
  const chosen = organizations.find(({ id }) => id === organization) ?? organizations[0]
  return {
    found: await call.api('listNewestRequests', { query, organization: chosen?.id ?? null }),
    organizations,
  }
}

type ResultsProps = {
  readonly portal: PortalContext
  readonly call: MemberCall
  readonly filters: Filters
  readonly requests: Requests
}

function Results({ portal, call, filters, requests }: ResultsProps) {
  const isPaged = call.query.has('before') || call.query.has('after')
  if (requests.length === 0 && (Object.keys(filters).length > 0 || isPaged)) {
    return (
      <p class="quiet">
        No call matches. <a href={call.pathOf('requests')}>Show all calls</a>
      </p>
    )
  }
  if (requests.length === 0) return <NoRequest portal={portal} />
  const { shown, older, newer } = pageOf(call, filters, requests)
  return (
    <>
      <Table
        caption="Requests"
        head={['Call', 'Status', 'Key', 'When', 'Took']}
        rows={shown.map(one => rowOf(call, filters, one))}
      />
      <Pager older={older} newer={newer} />
    </>
  )
}

const rowOf = (call: MemberCall, { organization }: Filters, one: Requests[number]) => [
  <>
    <a href={call.pathOf('request', { id: one.id }, { organization })}>
      <code>{`${one.method} ${one.path}`}</code>
    </a>
    <div class="fine">{one.operation}</div>
  </>,
  <StatusBadge request={one} />,
  one.credential === null ? (
    <span class="quiet">gone</span>
  ) : (
    <>
      {one.credential.name} <code>{`…${one.credential.last4}`}</code>
    </>
  ),
  <Time at={one.created_at} />,
  `${one.duration_ms.toLocaleString('en-US')} ms`,
]

/** A page has one row more where another one follows in its direction. */
function pageOf(call: MemberCall, filters: Filters, requests: Requests) {
  const isNewer = call.query.has('after')
  const hasMore = requests.length > pageSize
  const shown = isNewer ? requests.slice(-pageSize) : requests.slice(0, pageSize)
  const at = (cursor: Record<string, string | undefined>) =>
    call.pathOf('requests', {}, { ...filters, ...cursor })
  const hasNewer = isNewer ? hasMore : call.query.has('before')
  const hasOlder = isNewer || hasMore
  return {
    shown,
    newer: hasNewer ? at({ after: shown[0]?.id }) : null,
    older: hasOlder ? at({ before: shown.at(-1)?.id }) : null,
  }
}

const NoRequest = ({ portal }: { portal: PortalContext }) => (
  <Empty title="No call yet">
    <p>Call the API with a key, and the call is here a second later, also when it was refused.</p>
    <Copyable label="A first call" text={curlOf(portal.api, 'getOrganization')} />
  </Empty>
)
