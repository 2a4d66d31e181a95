// Moves a visit to another time when a clinician is free.
import { Hidden, Select } from '#http/html/fields.tsx'
import { Empty, Heading, RowForm } from '#http/html/parts.tsx'
import type { Query } from '#http/pages/table.ts'
import { typedIn } from '#http/pages/typed.tsx'
import { localDay, timeIn } from '#http/html/zone.tsx'
import { type FormRefusal, statusOf } from '../../act.ts'
import type { ConsoleCall, ConsoleHandler, OperationResult } from '../../context.ts'
import { missing, RefusedNote } from '../../refused.tsx'

export const showMove: ConsoleHandler = (_context, call) => movePage(call, {})

export const moveVisit: ConsoleHandler = async (_context, call) => {
  const text = (name: string) => call.form.get(name) ?? ''
  const body = { version: text('version'), starts_at: text('starts_at') }
  if (body.starts_at === '') return movePage(call, { status: 422 })
  const done = await call.perform('moveClinicVisit', { body })
  if (done.problem) return movePage(call, { problem: done.problem })
  return { redirect: dayPath(call, done.value.starts_at, { done: 'moved' }) }
}

/** The list of the day, where the person came from. */
const dayPath = (call: ConsoleCall, at: string, more: Query = {}) =>
  call.pathOf('visits', {}, { day: `${localDay(Date.parse(at), call.zone)}`, ...more })

type Visit = Extract<OperationResult<'readClinicVisit'>, { problem: null }>['value']

async function movePage(call: ConsoleCall, refused: FormRefusal) {
  const id = call.names['id'] ?? ''
  const found = await call.perform('readClinicVisit', { id })
  if (found.problem) return missing('Visit not found', call.pathOf('visits'), 'Visits')
  const visit = found.value
  return {
    title: 'Reschedule visit',
    ...statusOf(refused),
    content: (
      <>
        <Heading
          title="Reschedule visit"
          lead={`${visit.patient_name}, ${textOf(visit.starts_at, call.zone)}`}
        />
        <RefusedNote of={refused} />
        {visit.free_times.length === 0 ? (
          <Empty title="No free times">
            <p>
              No clinician licensed in {visit.state} is free in the next 14 days, or the visit is no
              longer scheduled.
            </p>
            <a class="button second" href={dayPath(call, visit.starts_at)}>
              Visits
            </a>
          </Empty>
        ) : (
          <MoveForm call={call} visit={visit} />
        )}
      </>
    ),
  }
}

function textOf(at: string, zone: string): string {
  const day = new Date(at).toLocaleString('en-US', { weekday: 'short', timeZone: zone })
  return `${day}, ${timeIn(at, zone)}`
}

/** After a refusal, no other time than the submitted one is preselected. */
function MoveForm({ call, visit }: { call: ConsoleCall; visit: Visit }) {
  const { id, free_times: free } = visit
  const typed = typedIn(call, 'moveVisit', 'starts_at')
  const selected = typed === null ? free[0] : free.find(at => at === typed)
  const times = free.map(at => [at, textOf(at, call.zone)] as const)
  return (
    <RowForm call={call} path={call.pathOf('moveVisit', { id })} class="stack">
      <Hidden name="version" value={visit.updated_at} />
      <Select
        name="starts_at"
        label="New time"
        value={selected ?? ''}
        options={selected === undefined ? [['', 'Choose a time'], ...times] : times}
        fault={typed === '' ? 'Choose a time.' : undefined}
      />
      <div class="actions">
        <button class="button">Reschedule</button>
        <a class="button second" href={dayPath(call, visit.starts_at)}>
          Cancel
        </a>
      </div>
    </RowForm>
  )
}
