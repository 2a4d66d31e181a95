// What the clinic has of a case: the patient, the request, consents, answers, files, thread,
// history.
import { Badge, Facts, Table, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, OperationResult } from '../../context.ts'
import { eventText, statusText } from '../../words.ts'
import { FileState } from '../files/state.tsx'
import { PatientFacts } from '../patient-facts.tsx'
import { medicationName } from '../medications.ts'

export type Review = Extract<OperationResult<'readChart'>, { problem: null }>['value']

type Props = { readonly review: Review }

export const Chart = ({ call, review }: { call: ConsoleCall; review: Review }) => (
  <div>
    <section>
      <h2>Patient</h2>
      <PatientFacts patient={review.chart.patient} />
      <p>
        <a href={call.pathOf('patient', { id: review.patient })}>All records of this patient</a>
      </p>
    </section>
    <Requested review={review} />
    <Answers review={review} />
    <section>
      <h2>Messages</h2>
      <Messages review={review} />
      <p>
        <a href={call.pathOf('thread', { id: review.id })}>Open the thread</a>
      </p>
    </section>
    <Consents review={review} />
    <Files call={call} review={review} />
    <Outcome review={review} />
    <History review={review} />
  </div>
)

const Requested = ({ review }: Props) => (
  <section>
    <h2>Requested</h2>
    <Table
      caption="Requested medications"
      head={['Medication', 'Quantity', 'Refills', 'Days', 'Directions']}
      rows={review.requested_medications.map(line => [
        medicationName(line.medication_id),
        line.quantity,
        line.refills,
        line.days_supply,
        line.directions,
      ])}
    />
  </section>
)

const Answers = ({ review: { answers } }: Props) => (
  <section>
    <h2>Answers</h2>
    {answers.length === 0 ? (
      <p class="quiet">None.</p>
    ) : (
      <Facts of={answers.map(({ question, answer }) => [question, answer === '' ? '—' : answer])} />
    )}
  </section>
)

const authors = { patient: 'Patient', integration: 'Integration', clinician: 'Clinic' } as const

export const Messages = ({ review: { chart } }: Props) =>
  chart.messages.length === 0 ? (
    <p class="quiet">None.</p>
  ) : (
    <ol class="thread">
      {chart.messages.map(({ id, author, kind, target, body, created_at, by }) => (
        <li key={id}>
          <p class="fine">
            {by?.name ?? authors[author]}
            {kind === 'question' && ` asks the ${target}`}
            {kind === 'answer' && ' answers'}
            {' · '}
            <Time at={created_at} />
          </p>
          <p class="lines">{body}</p>
        </li>
      ))}
    </ol>
  )

const Consents = ({ review: { chart } }: Props) => (
  <section>
    <h2>Consents</h2>
    <Table
      caption="Consents when the case was filed"
      head={['Kind', 'Version', 'Accepted', 'Now']}
      rows={chart.consents.map(({ kind, version, accepted_at, status }) => [
        statusText(kind),
        version,
        <Time key="at" at={accepted_at} />,
        <Badge key="now" tone={status === 'current' ? 'good' : 'plain'}>
          {statusText(status)}
        </Badge>,
      ])}
    />
  </section>
)

const Files = ({ call, review: { chart } }: Props & { call: ConsoleCall }) => (
  <section>
    <h2>Files</h2>
    {chart.files.length === 0 ? (
      <p class="quiet">None.</p>
    ) : (
      <Table
        caption="Files of the case"
        head={['File', 'Shows', 'Status', 'Filed']}
        rows={chart.files.map(file => [
          <a key="file" href={call.pathOf('file', { id: file.id })}>
            {file.filename ?? '—'}
          </a>,
          statusText(file.kind ?? 'other'),
          <FileState key="state" file={file} />,
          file.attached_at === null ? '—' : <Time at={file.attached_at} />,
        ])}
      />
    )}
  </section>
)

function Outcome({ review: { plan, reason, decided_by } }: Props) {
  if (plan === null && reason === null) return null
  return (
    <section>
      <h2>Decision</h2>
      {decided_by !== null && <p>By {decided_by.name}.</p>}
      {reason !== null && <p class="lines">{reason}</p>}
      {plan !== null && (
        <Table
          caption="Signed plan"
          head={['Medication', 'Quantity', 'Refills', 'Days', 'Directions', 'Dispensed']}
          rows={plan.map(line => [
            medicationName(line.medication_id),
            line.quantity,
            line.refills,
            line.days_supply,
            line.directions,
            line.dispensable ? 'Yes' : 'No',
          ])}
        />
      )}
    </section>
  )
}

const History = ({ review: { chart } }: Props) => (
  <section>
    <h2>History</h2>
    <Table
      caption="History of the case"
      head={['When', 'What']}
      rows={chart.history.map(({ type, created_at }) => [
        <Time key="at" at={created_at} />,
        eventText(type),
      ])}
    />
  </section>
)
