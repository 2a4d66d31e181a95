// The API changes in each release, and the integration's requests they affect.
import { Fragment } from 'preact'
import type { ApiChange } from '#contract/releases/surface.ts'
import { changedRequestsMax } from '#contract/portal/reads/requests.ts'
import { placeOf, type Release, releases } from '#contract/releases/releases.ts'
import { Badge, Heading, Table } from '#http/html/parts.tsx'
import type { ApiResult, MemberCall, PortalHandler } from '../../context.ts'
import { callForClinic } from '../../for-clinic.ts'
import { ClinicForm } from '../../frame/clinic-choice.tsx'
import { refused } from '../../refused.tsx'

type Counts = Extract<ApiResult<'countChanged'>, { problem: null }>['value']['data']

export const showApiChanges: PortalHandler = async (portal, call) => {
  const { found, organizations } = await callForClinic(call, 'countChanged', {})
  if (found.problem !== null) return refused(call, 'API changes', found.problem)
  const counts = found.value.data
  return {
    title: 'API changes',
    content: (
      <>
        <Heading
          title="API changes"
          lead={
            <>
              What each release added, deprecated and removed, and how many of your requests in the
              last 30 days it affects. The <a href={`${portal.site.url}/changelog`}>changelog</a>{' '}
              says why.
            </>
          }
        />
        <ClinicForm call={call} row="apiChanges" organizations={organizations} />
        {releases.map(release => (
          <ReleasePart key={release.date} {...{ call, release, counts }} />
        ))}
        <p class="fine">
          We count requests that sent a deprecated or removed body field. For query parameters and
          responses, which the request log doesn’t record, we count every request to the operation.
        </p>
      </>
    ),
  }
}

type PartProps = {
  readonly call: Pick<MemberCall, 'pathOf'>
  readonly release: Release
  readonly counts: Counts
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

export const ReleasePart = ({ call, release: { date, changes }, counts }: PartProps) => (
  <section class="part">
    <h2>{day.format(new Date(date))}</h2>
    <Table
      caption={`Changes on ${date}`}
      head={['Change', 'What', 'Your requests']}
      rows={changes.map(change => [
        <Badge key="change" tone={tones[change.change]}>
          {words[change.change]}
        </Badge>,
        <What key="what" of={change} />,
        <Touched key="touched" {...{ call, change, counts }} />,
      ])}
    />
  </section>
)

const words = { added: 'Added', deprecated: 'Deprecated', removed: 'Removed' } as const
const tones = { added: 'good', deprecated: 'waiting', removed: 'bad' } as const
const kinds = {
  operation: 'Operation',
  event: 'Event',
  query: 'Query parameter',
  request: 'Request field',
  response: 'Response field',
} as const

const What = ({ of: change }: { of: ApiChange }) => (
  <>
    <code>{placeOf(change)}</code>
    <div class="fine">
      {kinds[change.in]}
      {change.in !== 'operation' &&
        change.operations.map((id, at) => (
          <Fragment key={id}>
            {at === 0 ? ' of ' : ', '}
            <code>{id}</code>
          </Fragment>
        ))}
    </div>
  </>
)

type TouchedProps = Omit<PartProps, 'release'> & { readonly change: ApiChange }

/** An added request field is counted by its operation, because no earlier request could have sent
 *  it. */
function Touched({ call, change, counts }: TouchedProps) {
  const field = change.in === 'request' && change.change !== 'added' ? (change.name ?? null) : null
  const touched = change.operations.flatMap(operation => {
    const one = counts.find(each => each.operation === operation && each.field === field)
    return one === undefined || one.requests === 0 ? [] : [one]
  })
  if (touched.length === 0) return <span class="quiet">None</span>
  return (
    <>
      {touched.map(({ operation, requests }) => (
        <div key={operation}>
          <a href={call.pathOf('requests', {}, { operation })}>
            {requests > changedRequestsMax
              ? `over ${changedRequestsMax.toLocaleString('en-US')}`
              : requests.toLocaleString('en-US')}
          </a>{' '}
          <span class="fine">{operation}</span>
        </div>
      ))}
    </>
  )
}
