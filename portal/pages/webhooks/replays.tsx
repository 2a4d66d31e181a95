// Replays to an endpoint: resent events from a time span, and each replay's progress.
import { momentOf } from '#http/html/form-text.ts'
import { limits } from '#contract/limits.ts'
import { type Problem, problems } from '#contract/problems.ts'
import { Alert, Select } from '#http/html/fields.tsx'
import type { ApiResult, MemberCall, PortalHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { callForClinic, chosenClinic } from '../../for-clinic.ts'
import { callForIntegration, type organizationsOf } from '../../for-integration.ts'
import { MomentFields } from '#http/html/filter-form.tsx'
import { ClinicChoice } from '../../frame/clinic-choice.tsx'
import { Address, Badge, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import { refreshing } from '../../frame/refreshing.ts'
import { faultsOf } from '../../form-faults.ts'
import { problemText } from '../../refused.tsx'
import { findEndpoint, idOf, missingOr } from './find.tsx'
import type { Endpoint } from './list-parts.tsx'

type Replay = Extract<ApiResult<'listNewestReplays'>, { problem: null }>['value']['data'][number]
type Organizations = ReturnType<typeof organizationsOf>

export const showReplays: PortalHandler = async (_portal, call) => replaysPage(call)

async function replaysPage(call: MemberCall, problem?: Problem): Promise<PageAnswer> {
  const { id } = idOf(call)
  const [found, { organizations }] = [
    await findEndpoint(call),
    await callForClinic(call, 'listDestinations', {}),
  ]
  if (found.problem) return missingOr(call, found.problem)
  const query = { webhook_endpoint: id, limit: '10' }
  const replays = await callForIntegration(call, 'listNewestReplays', { query })
  if (replays.problem) return missingOr(call, replays.problem)
  const own = replays.value.data.slice(0, 10)
  const isRunning = own.some(({ status }) => status === 'running')
  return {
    title: 'Replay events',
    status: problem === undefined ? 200 : statusOf(problem),
    content: (
      <>
        <Heading
          title="Replay events"
          lead={
            <>
              Resends events in order to{' '}
              <a href={call.pathOf('webhook', { id })}>
                <Address of={found.value.url} />
              </a>
              . Each keeps its ID, so your receiver can recognize it.
            </>
          }
        />
        {call.mayOpen('startReplay') ? (
          <StartForm {...{ call, endpoint: found.value, organizations, problem }} />
        ) : (
          <p class="note">
            Only owners can replay live events. Ask an owner to give you permission for 24 hours.
          </p>
        )}
        <section
          class="part"
          id="replays"
          {...(isRunning && refreshing('replays', call.pathOf('replays'), 2))}
        >
          <h2>Replays</h2>
          {own.length === 0 ? (
            <p class="quiet">None yet.</p>
          ) : (
            <Table
              caption="Replays"
              head={['Events', 'Status', 'Delivered', 'Pending', 'Failed', 'Started', '']}
              rows={own.map(one => rowOf(call, one))}
            />
          )}
        </section>
      </>
    ),
  }
}

const fields = new Set(['since', 'until', 'only'])
const isOfField = (problem: Problem) =>
  Object.keys(faultsOf(problem)).some(name => fields.has(name))
const statusOf = (problem: Problem) => (isOfField(problem) ? 422 : problems[problem.code].status)

type FormProps = {
  readonly call: MemberCall
  readonly endpoint: Endpoint
  readonly organizations: Organizations
  readonly problem: Problem | undefined
}

function StartForm({ call, endpoint, organizations, problem }: FormProps) {
  if (endpoint.status === 'disabled') {
    return <p class="note">This endpoint is disabled. Enable it, then replay what it missed.</p>
  }
  const faults = problem ? faultsOf(problem) : {}
  const { form } = call
  return (
    <RowForm call={call} path={call.pathOf('startReplay', idOf(call))} class="stack">
      {problem && !isOfField(problem) && <Alert>{problemText(problem)}</Alert>}
      <ClinicChoice
        organizations={organizations}
        value={form.get('organization') ?? chosenClinic(call)}
      />
      <MomentFields
        since={form.get('since') ?? undefined}
        until={form.get('until') ?? undefined}
        untilLabel="Before (UTC, defaults to now)"
        faults={faults}
      />
      <Select
        name="only"
        label="Events"
        value={form.get('only') ?? 'failed'}
        options={[
          ['failed', 'Only failed events'],
          ['all', 'All subscribed events'],
        ]}
        fault={faults['only']}
        hint={`Up to ${limits.replayDaysMax} days back, at ${limits.replaysPerSecond} events per second.`}
      />
      <div class="actions">
        <button class="button">Start replay</button>
      </div>
    </RowForm>
  )
}

const tones = { running: 'waiting', completed: 'good', cancelled: 'plain', stopped: 'bad' } as const

const labels = {
  running: 'Running',
  completed: 'Completed',
  cancelled: 'Canceled',
  stopped: 'Stopped',
} as const

const rowOf = (call: MemberCall, one: Replay) => [
  <>
    <Time at={one.since} clock="sandbox" /> to <Time at={one.until} clock="sandbox" />
    <div class="fine">{one.only === 'failed' ? 'Failed only' : 'All'}</div>
  </>,
  <>
    <Badge tone={tones[one.status]}>{labels[one.status]}</Badge>
    {one.reason !== null && <div class="fine">{one.reason.replaceAll('_', ' ')}</div>}
    {one.status === 'running' && one.queued_until !== null && (
      <div class="fine">
        Reached <Time at={one.queued_until} clock="sandbox" />
      </div>
    )}
  </>,
  one.deliveries.delivered,
  one.deliveries.pending,
  one.deliveries.failed,
  <Time at={one.created_at} clock="sandbox" />,
  one.status === 'running' && (
    <RowForm
      call={call}
      path={call.pathOf('cancelReplay', { ...idOf(call), replay: one.id })}
      class="inline"
    >
      <button class="button second small">Cancel replay</button>
    </RowForm>
  ),
]

export const startReplay: PortalHandler = async (_portal, call) => {
  const { form } = call
  const until = momentOf(form.get('until') ?? '')
  const started = await call.api('replayEvents', {
    organization: form.get('organization'),
    body: {
      webhook_endpoint: idOf(call).id,
      since: momentOf(form.get('since') ?? '') ?? '',
      ...(until !== '' && { until }),
      only: form.get('only') ?? 'failed',
    },
  })
  if (started.problem) return replaysPage(call, started.problem)
  return { redirect: call.pathOf('replays', idOf(call)), toast: { text: 'Replay started' } }
}

export const cancelReplay: PortalHandler = async (_portal, call) => {
  const names = { id: call.names['replay'] ?? '' }
  const cancelled = await callForIntegration(call, 'cancelReplay', { names })
  // A replay that has ended doesn't need to be canceled.
  return cancelled.problem && cancelled.problem.code !== 'invalid_transition'
    ? replaysPage(call, cancelled.problem)
    : { redirect: call.pathOf('replays', idOf(call)), toast: { text: 'Replay canceled' } }
}
