// Moves a visit to another time when a clinician is free.
import { problems, type Problem } from '#contract/problems.ts'
import { Hidden, Select } from '#http/html/fields.tsx'
import { Empty, Heading, RowForm } from '#http/html/parts.tsx'
import { localDay, timeIn } from '#http/html/zone.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { missing, ProblemNote } from '../../refused.tsx'

export const showMove: ConsoleHandler = (context, call) => movePage(context, call, null)

export const moveVisit: ConsoleHandler = async (context, call) => {
  const text = (name: string) => call.form.get(name) ?? ''
  const body = { version: text('version'), starts_at: text('starts_at') }
  const done = await call.perform('moveClinicVisit', { body })
  if (done.problem) return movePage(context, call, done.problem)
  const { zone } = call
  const day = localDay(Date.parse(done.value.starts_at), zone)
  return { redirect: call.pathOf('visits', {}, { day: `${day}`, done: 'moved' }) }
}

/** `problem` is the reason the form was refused. */
async function movePage(context: ConsoleContext, call: ConsoleCall, problem: Problem | null) {
  const id = call.names['id'] ?? ''
  const found = await call.perform('readClinicVisit', { id })
  if (found.problem) return missing('Visit not found', call.pathOf('visits'), 'Visits')
  const visit = found.value
  const { zone } = call
  const day = (at: string) =>
    new Date(at).toLocaleString('en-US', { weekday: 'short', timeZone: zone })
  const textOf = (at: string) => `${day(at)}, ${timeIn(at, zone)}`
  return {
    title: 'Reschedule visit',
    status: problem === null ? 200 : problems[problem.code].status,
    content: (
      <>
        <Heading
          title="Reschedule visit"
          lead={`${visit.patient_name}, ${textOf(visit.starts_at)}`}
        />
        <ProblemNote problem={problem} />
        {visit.free_times.length === 0 ? (
          <Empty title="No free times">
            <p>
              No clinician licensed in {visit.state} is free in the next 14 days, or the visit is no
              longer scheduled.
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
              <button class="button">Reschedule</button>
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
