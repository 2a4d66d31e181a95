import config from './site.config.ts'

const word = (allowed: boolean) => (allowed ? 'yes' : 'no')
const { search, aiInput, aiTrain } = config.contentSignal

/** The permitted uses of the pages, for robots.txt and for a header on every file. */
export const contentSignal = `search=${word(search)}, ai-input=${word(aiInput)}, ai-train=${word(aiTrain)}`
