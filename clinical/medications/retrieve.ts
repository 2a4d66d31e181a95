import { read } from '../pipeline/handler.ts'
import { listed } from './formulary.ts'

export const getMedication = read('getMedication', ({ principal }, { medication_id }) => ({
  items: listed(principal.organization.formulary).filter(held => held.id === medication_id),
}))
