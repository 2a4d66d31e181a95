// A visit moves to another time at which a clinician is free.
import { problems, type Problem } from '#contract/problems.ts'
import { Hidden, Select } from '#http/html/fields.tsx'
import { Empty, Heading, RowForm } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { missing, ProblemNote } from '../../refused.tsx'
import { clinicOf } from '../administration/settings.tsx'
import { localDay } from './list.tsx'

export const showMove: ConsoleHandler = (context, call) => movePage(context, call, null)

export const moveVisit: ConsoleHandler = async (context, call) => {
  const text = (name: string) => call.form.get(name) ?? ''
  const body = { version: text('version'), starts_at: text('starts_at') }
  const done = await call.perform('moveClinicVisit', { body })
  if (done.problem) return movePage(context, call, done.problem)
  const { time_zone: zone } = await clinicOf(context, call)
  const day = localDay(Date.parse(done.value.starts_at), zone)
  return { redirect: call.pathOf('visits', {}, { day: `${day}`, done: 'moved' }) }
}

/** `problem`: why the form was refused. */
async function movePage(context: ConsoleContext, call: ConsoleCall, problem: Problem | null) {
  const id = call.names['id'] ?? ''
  const found = await call.perform('readClinicVisit', { id })
  if (found.problem) return missing('No such visit', call.pathOf('visits'), 'Visits')
  const visit = found.value
  const { time_zone: zone } = await clinicOf(context, call)
  const textOf = (at: string) =>
    new Date(at).toLocaleString('en-US', {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: zone,
    })
  return {
    title: 'Move a visit',
    status: problem === null ? 200 : problems[problem.code].status,
    content: (
      <>
        <Heading
          title="Move a visit"
          lead={`${visit.patient_name}, ${textOf(visit.starts_at)}, in the time of the clinic (${zone}).`}
        />
        <ProblemNote problem={problem} />
        {visit.free_times.length === 0 ? (
          <Empty title="No time is free">
            <p>
              No clinician who may treat in {visit.state} has a free time in the next fourteen days,
              or the visit is not scheduled any more.
            </p>
            <a class="button second" href={call.pathOf('visits')}>
              Visits
            </a>
          </Empty>
        ) : (
          <RowForm call={call} path={call.pathOf('moveVisit', { id })} class="stack">
            <Hidden name="version" value={visit.updated_at} />
            <Select
              name="starts_at"
              label="New time"
              value={visit.free_times[0] ?? ''}
              options={visit.free_times.map(at => [at, textOf(at)] as const)}
            />
            <div class="actions">
              <button class="button">Move the visit</button>
              <a class="button second" href={call.pathOf('visits')}>
                Cancel
              </a>
            </div>
          </RowForm>
        )}
      </>
    ),
  }
}
