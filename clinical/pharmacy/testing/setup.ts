// The pharmacy setup that the console's tests pass to its pages.

import type { Fixtures } from '../../testing/fixtures.ts'
import { pharmacySetup } from '../setup.ts'

export const testPharmacySetup = ({ context }: Pick<Fixtures, 'context'>) => pharmacySetup(context)
