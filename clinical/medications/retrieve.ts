import { read } from '../pipeline/handler.ts'
import { heldMedications } from './medication.ts'

export const getMedication = read('getMedication', (_call, { medication_id }) => ({
  items: heldMedications.filter(held => held.id === medication_id),
}))
