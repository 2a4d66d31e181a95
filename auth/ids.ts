import { idFrom, type Noun } from '#contract/ids.ts'
import { now, randomBytes } from '#database/clock.ts'

/** The id of a new row. */
export const newId = (noun: Noun): string => idFrom(noun, now(), randomBytes(16))
