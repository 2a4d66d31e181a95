import { openIdSequence, type Noun, prefixes } from '#contract/ids.ts'
import { now, randomBytes } from '#database/clock.ts'

const nextId = openIdSequence(now, randomBytes)

/** An ID for a new row without a tenant, greater than every earlier ID from this process. */
export const newId = (noun: Noun): string => `${prefixes[noun]}_${nextId()}`
