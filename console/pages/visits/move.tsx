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
  const before = await call.perform('readClinicVisit')
  const done = await call.perform('moveClinicVisit', { body })
  if (done.problem) return movePage(call, { problem: done.problem })
  const { starts_at, clinician_name } = done.value
  const isSame = before.problem !== null || before.value.clinician_name === clinician_name
  // The person’s own visits no longer include a visit that another clinician has now.
  const result = isSame ? { done: 'moved' } : { done: 'reassigned', mine: undefined }
  return { redirect: dayPath(call, starts_at, result) }
}

const isMine = ({ query, form }: ConsoleCall) => (query.get('mine') ?? form.get('mine')) === 'yes'

/** The list of the day, where the person came from. */
const dayPath = (call: ConsoleCall, at: string, more: Query = {}) => {
  const day = `${localDay(Date.parse(at), call.zone)}`
  return call.pathOf('visits', {}, { day, mine: isMine(call) ? 'yes' : undefined, ...more })
}

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
  const { id, free_times: free, starts_at: own } = visit
  const typed = typedIn(call, 'moveVisit', 'starts_at')
  const selected = typed === null ? free.find(at => at !== own) : free.find(at => at === typed)
  const who = visit.is_own ? 'you aren’t' : `${visit.clinician_name ?? 'the clinician'} isn’t`
  const times = free.map(at => {
    const text = textOf(at, call.zone)
    return [at, at === own ? `${text} (same time, another clinician)` : text] as const
  })
  return (
    <RowForm call={call} path={call.pathOf('moveVisit', { id })} class="stack">
      <Hidden name="version" value={visit.updated_at} />
      {isMine(call) && <Hidden name="mine" value="yes" />}
      <Select
        name="starts_at"
        label="New time"
        hint={`If ${who} free at the new time, another clinician sees the patient.`}
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
