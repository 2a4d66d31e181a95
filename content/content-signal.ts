import config from './site.config.ts'

const word = (allowed: boolean) => (allowed ? 'yes' : 'no')
const { search, aiInput, aiTrain } = config.contentSignal

/** What the pages may be used for: a line in robots.txt, and a header on every file. */
export const contentSignal = `search=${word(search)}, ai-input=${word(aiInput)}, ai-train=${word(aiTrain)}`
