import { read } from '../pipeline/handler.ts'
import { pageOfHeld } from '../pipeline/pages.ts'
import { heldMedications } from './medication.ts'

export const listMedications = read('listMedications', (_call, input) => ({
  held: pageOfHeld(heldMedications, input),
}))
