import { read } from '../pipeline/handler.ts'
import { pageOfFixed } from '../pipeline/pages.ts'
import { heldMedications } from './medication.ts'

export const listMedications = read('listMedications', (_call, input) => ({
  items: pageOfFixed(heldMedications, input),
}))
