// Who a patient is, and where they are reached.
import type { ChartPatient } from '#contract/console/patients.ts'
import { Facts } from '#http/html/parts.tsx'
import type { Static } from 'typebox'
import { statusText } from '../words.ts'

type Patient = Static<typeof ChartPatient>

export const PatientFacts = ({ patient }: { patient: Patient }) => (
  <Facts
    of={[
      [
        'Name',
        [patient.first_name, patient.middle_name, patient.last_name].filter(Boolean).join(' '),
      ],
      ['Date of birth', patient.date_of_birth],
      ['Sex at birth', statusText(patient.sex_at_birth)],
      ['Address', addressText(patient.address)],
      ['Phone', patient.phone],
      ['Email', patient.email],
      ...(patient.status === 'deleted'
        ? [['Record', 'The integration deleted this patient. The record is the clinic’s.'] as const]
        : []),
    ]}
  />
)

export const addressText = (address: Patient['address']): string =>
  [address.line1, address.line2, address.city, `${address.state}\u00a0${address.postal_code}`]
    .filter(Boolean)
    .join(', ')
