// A clinician's visit in one tab: the patient, the video room, the chart, and the actions that
// start and complete the visit. The room is a page on the API's origin, because the room's
// WebSocket is there.
import { localDay } from '#http/html/zone.tsx'
import { problems, type Problem } from '#contract/problems.ts'
import { Hidden } from '#http/html/fields.tsx'
import { Badge, Heading, Time } from '#http/html/parts.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { ConsoleCall, ConsoleContext, OperationResult } from '../../context.ts'
import { missing, ProblemNote, refused } from '../../refused.tsx'
import { statusText } from '#http/html/status-text.ts'
import { Banner } from '../cases/banner.tsx'
import { Chart } from '../cases/chart.tsx'
import type { Review } from '../cases/review.ts'
import { PatientFacts } from '../patient-facts.tsx'
import { patientName } from '../patient-name.ts'
import { type ReadAnswer, readAnswers } from '../texts/intake.ts'
import type { ClinicText } from '#auth/clinics/texts.ts'
import { NoteForm } from '../cases/notes.tsx'
import { templatesOf, textsOf } from '../texts/read.ts'

type Value<K extends Parameters<ConsoleCall['perform']>[0]> = Extract<
  OperationResult<K>,
  { problem: null }
>['value']
type Visit = Value<'readClinicVisit'>
type Patient = Value<'readPatient'>

/** `problem` is the reason the visit wasn't started or completed. */
export async function roomPage(
  context: ConsoleContext,
  call: ConsoleCall,
  problem: Problem | null,
): Promise<PageAnswer> {
  const id = call.names['id'] ?? ''
  const found = await call.perform('readClinicVisit', { id })
  if (found.problem || !found.value.is_own) {
    return missing('Visit not found', call.pathOf('visits'), 'Visits')
  }
  const visit = found.value
  const room = await roomOf(call, visit)
  if (room instanceof Error) {
    return room.code === 'join_not_open' ? closedRoom(call, room) : refused('Video room', room)
  }
  const patient = await call.perform('readPatient', { id: visit.patient })
  if (patient.problem) return refused('Video room', patient.problem)
  const review = await chartOf(call, visit)
  const texts = await textsOf(context, call)
  const answers = readAnswers(review?.answers ?? [], texts)
  const shared = {
    call,
    today: localDay(context.now(), call.zone),
    patient: patient.value,
    answers,
  }
  return {
    title: `Visit with ${patientName(patient.value)}`,
    ...(problem && { status: problems[problem.code].status }),
    ...(room !== null && { frames: [new URL(room).origin] }),
    content: (
      <>
        <div data-stays>
          <Banner {...shared} lead="Video visit" />
          <Acts call={call} visit={visit} problem={problem} />
          <div class="visit">
            {room !== null && (
              <iframe
                class="visit-room"
                title="Video room"
                src={room}
                allow="camera; microphone; autoplay; fullscreen"
              />
            )}
            <div>
              <RoomNote call={call} visit={visit} texts={texts} />
              <Record {...shared} review={review} />
            </div>
          </div>
        </div>
      </>
    ),
  }
}

const closedRoom = (call: ConsoleCall, { code, content: { members } }: Problem): PageAnswer => ({
  title: 'Video room',
  status: problems[code].status,
  content: (
    <>
      <Heading title="Video room" />
      <p class="note">
        The video room is open from <Time at={String(members?.['opens_at'])} /> to{' '}
        <Time at={String(members?.['closes_at'])} />.
      </p>
      <p class="actions">
        <a class="button second" href={call.pathOf('visits')}>
          Visits
        </a>
      </p>
    </>
  ),
})

async function chartOf(call: ConsoleCall, { case: id }: Visit): Promise<Review | null> {
  if (id === null) return null
  const chart = await call.perform('readChart', { id })
  return chart.problem ? null : chart.value
}

/** The room's URL, null once the visit is over, or the reason the room isn't open. */
async function roomOf(call: ConsoleCall, { id, status }: Visit): Promise<string | null | Problem> {
  if (status !== 'scheduled' && status !== 'started') return null
  const link = await call.perform('joinClinicVisit', { id })
  return link.problem ?? link.value.url
}

type ActsProps = {
  readonly call: ConsoleCall
  readonly visit: Visit
  readonly problem: Problem | null
}

type NoteProps = Pick<ActsProps, 'call' | 'visit'> & { readonly texts: readonly ClinicText[] }

const RoomNote = ({ call, visit, texts }: NoteProps) =>
  call.mayOpen('writeVisitNote') ? (
    <details open>
      <summary>Visit note</summary>
      <NoteForm
        call={call}
        draft={visit.notes.find(({ signed_at }) => signed_at === null)}
        list={visit.code_list}
        templates={templatesOf(texts)}
        confirmation={null}
        row="writeVisitNote"
        hint={
          <>
            Your draft is saved as you type. Sign it on the{' '}
            <a href={call.pathOf('visitNote', { id: visit.id })} target="_blank">
              visit’s note page
            </a>
            .
          </>
        }
        stays
      />
    </details>
  ) : null

const actsId = 'visit-acts'

/** The actions of the visit. Submitting one of their forms replaces only the actions, so the video
 *  call continues. */
function Acts({ call, visit, problem }: ActsProps) {
  const { status, starts_at, started_at, ended_at } = visit
  return (
    <div id={actsId} class="visit-acts" data-in-call={status === 'started' || undefined}>
      <ProblemNote problem={problem} />
      <p role="status">
        <Badge tone={status === 'started' ? 'good' : 'plain'}>{statusText(status)}</Badge>{' '}
        <Time at={ended_at ?? started_at ?? starts_at} />
      </p>
      {status === 'completed' && visit.has_draft && (
        <p class="note">
          Your note isn’t signed.{' '}
          <a href={call.pathOf('visitNote', { id: visit.id })}>Review and sign it</a>
        </p>
      )}
      <div class="actions">
        {status === 'scheduled' && <Act call={call} visit={visit} row="startVisit" label="Start" />}
        {status === 'started' && (
          <Act call={call} visit={visit} row="completeVisit" label="Complete" />
        )}
        {visit.case !== null && (
          <a class="button second" href={call.pathOf('case', { id: visit.case })} target="_blank">
            Open case
          </a>
        )}
      </div>
    </div>
  )
}

type ActProps = Pick<ActsProps, 'call' | 'visit'> & {
  readonly row: 'startVisit' | 'completeVisit'
  readonly label: string
}

function Act({ call, visit, row, label }: ActProps) {
  const path = call.pathOf(row, { id: visit.id })
  return (
    <form method="post" action={path} data-replaces={actsId}>
      <Hidden name="form" value={call.formToken(path)} />
      <Hidden name="once" value={call.once()} />
      <Hidden name="version" value={visit.updated_at} />
      <Hidden name="from" value="room" />
      <button class="button">{label}</button>
    </form>
  )
}

type RecordProps = {
  readonly call: ConsoleCall
  readonly today: Temporal.PlainDate
  readonly patient: Patient
  readonly answers: readonly ReadAnswer[]
  /** Null for a visit without a case. */
  readonly review: Review | null
}

const Record = ({ call, today, patient, answers, review }: RecordProps) =>
  review !== null ? (
    <Chart call={call} review={review} answers={answers} today={today} />
  ) : (
    <section>
      <h2>Contact</h2>
      <PatientFacts patient={patient} today={today} />
      <p>
        <a href={call.pathOf('patient', { id: patient.id })}>Full patient record</a>
      </p>
    </section>
  )
