// A patient with the list of their cases.
import { Heading, Table, Time } from '#http/html/parts.tsx'
import type { ConsoleHandler } from '../../context.ts'
import { missing, refused } from '../../refused.tsx'
import { Status } from '../cases/claim.tsx'
import { PatientFacts } from './facts.tsx'

export const showPatient: ConsoleHandler = async (_, call) => {
  const found = await call.perform('readPatient')
  if (found.problem?.code === 'not_found') {
    return missing('There is no such patient', call.pathOf('queue'), 'The queue')
  }
  if (found.problem) return refused('Patient', found.problem)
  const patient = found.value
  const name = `${patient.first_name} ${patient.last_name}`
  return {
    title: name,
    content: (
      <>
        <Heading title={name} lead={`Patient of ${patient.integration.name}`} />
        <PatientFacts patient={patient} />
        <section>
          <h2>Cases</h2>
          <Table
            caption="Cases"
            head={['Filed', 'Status', 'Changed']}
            rows={patient.cases.map(({ id, status, created_at, updated_at }) => [
              <a key="case" href={call.pathOf('case', { id })}>
                <Time at={created_at} />
              </a>,
              <Status key="status" status={status} />,
              <Time key="changed" at={updated_at} />,
            ])}
          />
        </section>
      </>
    ),
  }
}
