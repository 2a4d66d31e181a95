// What the console's tests give its pages for connecting a pharmacy.

import type { Fixtures } from '../../testing/fixtures.ts'
import { pharmacySetup } from '../setup.ts'

export const testPharmacySetup = ({ context }: Pick<Fixtures, 'context'>) => pharmacySetup(context)
