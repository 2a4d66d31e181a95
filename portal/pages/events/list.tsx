// A clinic’s events, newest first.
import { momentOf } from '#http/html/form-text.ts'
import { eventTypes } from '#contract/events.ts'
import type { ApiResult, MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { callForClinic } from '../../for-clinic.ts'
import { Choice, FilterChips, FilterForm, MomentFields, same } from '#http/html/filter-form.tsx'
import { ClinicForm, KeptClinic } from '../../frame/clinic-choice.tsx'
import { Ago, Copyable, Empty, Heading, Id, Pager, Table } from '#http/html/parts.tsx'
import { curlOf } from '../../curl.ts'
import { LiveNote } from '../../frame/live-note.tsx'
import { chipsOf, filtersOf, isPaged, newestPageOf, positionOf } from '../../newest-page.ts'
import { faultsOf } from '../../form-faults.ts'
import { refused } from '../../refused.tsx'
import { Field } from '#http/html/fields.tsx'
import { statusText } from '#http/html/status-text.ts'

const names = ['type', 'resource', 'since', 'until'] as const
const filterLabels = { type: 'Type', resource: 'Resource', since: 'From', until: 'Before' }
type Filters = ReturnType<typeof filtersOf<(typeof names)[number]>>
type Events = Extract<ApiResult<'listNewestEvents'>, { problem: null }>['value']['data']

export const showEvents: PortalHandler = async (portal, call) => {
  const filters = filtersOf(call, names)
  const { type, resource, since, until } = filters
  const query = { type, resource, since: momentOf(since), until: momentOf(until) }
  const { found, organizations } = await callForClinic(call, 'listNewestEvents', {
    query: { ...query, ...positionOf(call) },
  })
  if (found.problem && found.problem.code !== 'invalid_request') {
    return refused(call, 'Events', found.problem)
  }
  const faults = found.problem ? faultsOf(found.problem) : {}
  return {
    title: 'Events',
    status: found.problem ? 422 : 200,
    content: (
      <>
        <Heading
          title="Events"
          lead="Changes in order, newest first, with IDs and statuses but no patient data."
        />
        <ClinicForm {...{ call, row: 'events', organizations, filters }} />
        <FilterForm
          path={call.pathOf('events', {}, { organization: undefined })}
          isFiltered={Object.keys(filters).length > 0}
          isFolded
          isOpen={Object.keys(faults).length > 0}
        >
          <KeptClinic call={call} />
          <Choice
            name="type"
            label="Type"
            value={type}
            options={eventTypes.map(same)}
            fault={faults['type']}
          />
          <Field
            name="resource"
            label="Resource ID"
            value={resource ?? ''}
            fault={faults['resource']}
            class="code"
            input={{ required: false, placeholder: 'case_', spellcheck: false, maxlength: 64 }}
          />
          <MomentFields since={since} until={until} faults={faults} />
        </FilterForm>
        <div id="results">
          <FilterChips
            path={call.pathOf('events')}
            chips={chipsOf(call, 'events', filters, filterLabels)}
          />
          {found.problem ? (
            <p class="note">Fix the marked filter to see events.</p>
          ) : (
            <Results {...{ portal, call, filters, events: found.value.data }} />
          )}
        </div>
      </>
    ),
  }
}

type ResultsProps = {
  readonly portal: PortalContext
  readonly call: MemberCall
  readonly filters: Filters
  readonly events: Events
}

function Results({ portal, call, filters, events }: ResultsProps) {
  if (events.length === 0 && (Object.keys(filters).length > 0 || isPaged(call))) {
    return (
      <p class="quiet">
        No matching events. <a href={call.pathOf('events')}>Clear filters</a>
      </p>
    )
  }
  if (events.length === 0) return <NoEvent portal={portal} call={call} />
  const { shown, older, newer, ...live } = newestPageOf(call, 'events', filters, events)
  return (
    <>
      <LiveNote {...live} />
      <Table
        caption="Events"
        head={['Event', 'Resource', 'Status', 'Created']}
        rows={shown.map(one => [
          <a key="type" href={call.pathOf('event', { id: one.id })}>
            {one.type}
          </a>,
          <Id
            key="resource"
            of={one.resource.id}
            href={call.pathOf('events', {}, { resource: one.resource.id })}
          />,
          <StatusChange key="state" event={one} />,
          <Ago key="at" at={one.created_at} clock="sandbox" />,
        ])}
      />
      <Pager older={older} newer={newer} />
    </>
  )
}

/** An event that didn’t change the status shows it once. */
export const StatusChange = ({ event: { status, previous_status: before } }: StatusChangeProps) => (
  <>
    {statusText(status)}
    {before !== null && before !== status && (
      <span class="quiet"> from {statusText(before).toLowerCase()}</span>
    )}
  </>
)

type StatusChangeProps = { readonly event: Pick<Events[number], 'status' | 'previous_status'> }

const NoEvent = ({ portal, call }: { portal: PortalContext; call: MemberCall }) => (
  <Empty title="No events yet">
    <p>
      {call.mode === 'test' ? (
        <>
          Every change creates an event. File a case, run <code>svc trigger order.shipped.v1</code>,
          or use the API:
        </>
      ) : (
        'Every change creates an event, starting with your first patient.'
      )}
    </p>
    {call.mode === 'test' && (
      <Copyable
        label="Test event with curl"
        text={curlOf('triggerWebhook', {
          api: portal.api,
          key: call.once(),
          body: { type: 'order.shipped.v1' },
        })}
      />
    )}
  </Empty>
)
