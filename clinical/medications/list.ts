import { read } from '../pipeline/handler.ts'
import { pageOfFixed } from '../pipeline/pages.ts'
import { listed } from './formulary.ts'

export const listMedications = read('listMedications', ({ principal }, input) => ({
  items: pageOfFixed(listed(principal.organization.formulary), input),
}))
