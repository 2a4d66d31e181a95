// The synthetic patient of the first case, in the requests that a new developer copies.
import { rivera } from '#contract/examples.ts'
import { medication } from '#contract/examples/resources.ts'

const { external_id: _yours, ...patient } = rivera

const consentVersion = '2026-09-01'

export const synthetic = {
  patient,
  consent: (kind: 'telehealth' | 'privacy', version = consentVersion) => ({ kind, version }),
  case: (patient: string, consents: readonly string[]) => ({
    patient,
    consent_ids: consents,
    requested_medications: [{ medication_id: medication.medication_id }],
  }),
}
