// A patient's identity and contact details.
import type { ChartPatient } from '#contract/console/patients.ts'
import { Facts } from '#http/html/parts.tsx'
import type { Static } from 'typebox'
import { statusText } from '#http/html/status-text.ts'
import { bornText } from './patient-name.ts'

type Patient = Static<typeof ChartPatient>
type FactsProps = { readonly patient: Patient; readonly today: Temporal.PlainDate }

export const PatientFacts = ({ patient, today }: FactsProps) => (
  <Facts
    of={[
      ['Date of birth', bornText(patient.date_of_birth, today)],
      ['Sex at birth', statusText(patient.sex_at_birth)],
      ['Address', addressText(patient.address)],
      ['Phone', phoneText(patient.phone)],
      ['Email', patient.email],
      ...(patient.status === 'deleted'
        ? [['Record', 'Deleted by the integration. The clinic keeps this record.'] as const]
        : []),
    ]}
  />
)

/** `+14155550101` as `(415) 555-0101`; a foreign phone number as stored. */
export const phoneText = (phone: string): string =>
  phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1)\u00a0$2-$3')

export const addressText = (address: Patient['address']): string =>
  [address.line1, address.line2, address.city, `${address.state}\u00a0${address.postal_code}`]
    .filter(Boolean)
    .join(', ')
