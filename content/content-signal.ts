import config from './site.config.ts'

const word = (allowed: boolean) => (allowed ? 'yes' : 'no')
const { search, aiInput, aiTrain } = config.contentSignal

/** For what the pages may be used: a line of robots.txt, and a header of every file. */
export const contentSignal = `search=${word(search)}, ai-input=${word(aiInput)}, ai-train=${word(aiTrain)}`
