import { read } from '../handler.ts'
import { pageOfHeld } from '../pages.ts'
import { heldMedications } from './medication.ts'

export const listMedications = read('listMedications', (_call, input) => ({
  held: pageOfHeld(heldMedications, input),
}))
