import { openIdSequence, type Noun, prefixes } from '#contract/ids.ts'
import { now, randomBytes } from '#database/clock.ts'

const nextId = openIdSequence(now, randomBytes)

/** The id of a new row that has no tenant, greater than every other of this process. */
export const newId = (noun: Noun): string => `${prefixes[noun]}_${nextId()}`
