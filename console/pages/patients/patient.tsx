// A patient with everything the clinic has about them.
import { localDay } from '#http/html/zone.tsx'
import { Heading, Table, Time } from '#http/html/parts.tsx'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { type FormRefusal, statusOf } from '../../act.ts'
import { confirmationOf } from '../../confirm.tsx'
import { missing, refused, RefusedNote } from '../../refused.tsx'
import { statusText } from '#http/html/status-text.ts'
import { Status } from '../cases/claim.tsx'
import { medicationName } from '../medications.ts'
import { Thumbnails } from '../files/thumbnails.tsx'
import { OrderState } from '../orders/state.tsx'
import { ExportForm } from './export-form.tsx'
import { PatientFacts } from '../patient-facts.tsx'
import { patientName } from '../patient-name.ts'

export const showPatient: ConsoleHandler = (context, call) => patientPage(context, call, {})

export async function patientPage(
  context: ConsoleContext,
  call: ConsoleCall,
  given: FormRefusal,
): Promise<PageAnswer> {
  const found = await call.perform('readPatient')
  if (found.problem?.code === 'not_found') {
    return missing('Patient not found', call.pathOf('queue'), 'Queue')
  }
  if (found.problem) return refused('Patient', found.problem)
  const patient = found.value
  const confirmation = await confirmationOf(context, call, given.fault ?? null)
  const name = patientName(patient)
  return {
    title: name,
    ...statusOf(given),
    content: (
      <>
        <Heading title={name} lead={`From ${patient.integration.name}`} />
        <RefusedNote of={given} />
        {patient.is_held && (
          <p class="note">This record is on legal hold, so nothing in it can be destroyed.</p>
        )}
        <PatientFacts patient={patient} today={localDay(context.now(), call.zone)} />
        <RecordLinks call={call} id={patient.id} />
        <Section
          title="Cases"
          head={['Filed', 'Status', 'Changed']}
          rows={patient.cases.map(({ id, status, created_at, updated_at }) => [
            <a key="case" href={call.pathOf('case', { id })}>
              <Time at={created_at} />
            </a>,
            <Status key="status" status={status} />,
            <Time key="changed" at={updated_at} />,
          ])}
        />
        <Records call={call} patient={patient} />
        {call.mayOpen('exportRecord') && (
          <ExportForm call={call} id={patient.id} confirmation={confirmation} />
        )}
      </>
    ),
  }
}

const RecordLinks = ({ call, id }: { call: ConsoleCall; id: string }) =>
  call.mayOpen('patientRecord') ? (
    <p class="actions">
      <a class="button second" href={call.pathOf('patientRecord', { id })}>
        Disclosures and holds
      </a>
      <a class="button second" href={call.pathOf('patientAccess', { id })}>
        Who saw this patient
      </a>
    </p>
  ) : null

type Patient = Extract<OperationResult<'readPatient'>, { problem: null }>['value']

const byStart = (visits: Patient['visits']) =>
  visits.toSorted((one, other) => (one.starts_at < other.starts_at ? -1 : 1))

const Records = ({ call, patient }: { call: ConsoleCall; patient: Patient }) => (
  <>
    <Section
      title="Prescriptions"
      head={['Medication', 'Status', 'Prescriber', 'Written']}
      rows={patient.prescriptions.map(one => [
        `${one.name} ${one.strength}`,
        statusText(one.status),
        one.prescriber_name,
        <Time key="at" at={one.created_at} />,
      ])}
    />
    <Section
      title="Orders"
      head={['Medication', 'Status', 'Created']}
      rows={patient.orders.map(({ id, medication_id, status, created_at }) => [
        <a key="order" href={call.pathOf('order', { id })}>
          {medicationName(medication_id)}
        </a>,
        <OrderState key="status" status={status} />,
        <Time key="at" at={created_at} />,
      ])}
    />
    <Section
      title="Visits"
      head={['Starts', 'Status', 'Clinician', 'Note']}
      rows={byStart(patient.visits).map(({ id, starts_at, status, clinician_name }) => [
        <Time key="at" at={starts_at} />,
        statusText(status),
        clinician_name ?? '—',
        <a key="note" href={call.pathOf('visitNote', { id })}>
          Visit note
        </a>,
      ])}
    />
    <section>
      <h2>Files</h2>
      <Thumbnails call={call} files={patient.files} />
    </section>
  </>
)

const Section = (props: {
  title: string
  head: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
}) => (
  <section>
    <h2>{props.title}</h2>
    {props.rows.length === 0 ? (
      <p class="quiet">None</p>
    ) : (
      <Table caption={props.title} head={props.head} rows={props.rows} />
    )}
  </section>
)
