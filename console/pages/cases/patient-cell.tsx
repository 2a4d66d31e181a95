// The patient in a list of cases, with the date of birth, because two patients may share a name.
import { localDay } from '#http/html/zone.tsx'
import type { ConsoleCall, ConsoleContext, OperationResult } from '../../context.ts'
import { bornText, patientName } from '../patient-name.ts'

type Queued = Extract<OperationResult<'listQueue'>, { problem: null }>['value']['data'][number]

type Props = {
  readonly context: Pick<ConsoleContext, 'now'>
  readonly call: ConsoleCall
  readonly of: Pick<Queued, 'id' | 'patient'>
  /** The part of the chart to show. */
  readonly part?: '#messages'
}

export const PatientCell = ({ context, call, of: { id, patient }, part }: Props) => (
  <>
    <a href={call.pathOf('case', { id }) + (part ?? '')}>{patientName(patient)}</a>
    <div class="fine">
      {bornText(patient.date_of_birth, localDay(context.now(), call.zone))} · {patient.state}
    </div>
  </>
)
