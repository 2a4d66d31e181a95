// A patient's identity and contact details.
import type { ChartPatient } from '#contract/console/patients.ts'
import { Facts } from '#http/html/parts.tsx'
import type { Static } from 'typebox'
import { statusText } from '../words.ts'

type Patient = Static<typeof ChartPatient>

export const PatientFacts = ({ patient, now }: { patient: Patient; now: number }) => (
  <Facts
    of={[
      ['Date of birth', ageText(patient.date_of_birth, now)],
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

/** `born` in the form 1979-06-02 becomes "06/02/1979 (47)". */
export function ageText(born: string, now: number): string {
  const birth = Temporal.PlainDate.from(born)
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate()
  const { years } = birth.until(today, { largestUnit: 'years' })
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${digits(birth.month)}/${digits(birth.day)}/${birth.year} (${years})`
}

/** `+14155550101` as `(415) 555-0101`; a foreign phone number as stored. */
export const phoneText = (phone: string): string =>
  phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1)\u00a0$2-$3')

export const addressText = (address: Patient['address']): string =>
  [address.line1, address.line2, address.city, `${address.state}\u00a0${address.postal_code}`]
    .filter(Boolean)
    .join(', ')
