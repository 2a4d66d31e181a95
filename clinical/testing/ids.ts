import { idOf, type Noun, openIdSequence } from '#contract/ids.ts'
import { randomBytes } from '#database/clock.ts'

const next = openIdSequence(() => 0, randomBytes)

/** Returns an ID for this millisecond, greater than the IDs made for the same millisecond
 *  before. */
export const idAt = (noun: Noun, milliseconds: number): string =>
  idOf(noun, milliseconds, next().slice(-16))
