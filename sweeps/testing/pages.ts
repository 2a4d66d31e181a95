// Reading pages and the code that decides what they say, and the words for its numbers.
import path from 'node:path'
import { erasesDeleted } from '#clinical/modes.ts'
import { limits } from '#contract/limits.ts'

export const root = path.join(import.meta.dir, '../..')
export const read = (file: string): Promise<string> => Bun.file(path.join(root, file)).text()

/** The newest version of a legal text, below `content/`. */
export function legal(document: string): string {
  const found = [...new Bun.Glob(`legal/${document}-*.md`).scanSync(path.join(root, 'content'))]
  return found.sort().at(-1) ?? ''
}

/** A number that a file of code states and does not export. */
export async function found(file: string, pattern: RegExp): Promise<number> {
  const number = Number(pattern.exec(await read(file))?.[1])
  if (Number.isNaN(number)) throw new Error(`${file} has nothing like ${pattern}`)
  return number
}

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
/** Nine, twenty or ninety. */
export const word = (value: number) => small[value] ?? tens[value / 10] ?? String(value)
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
export const count = (value: number) => value.toLocaleString('en-US')
export const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`
export const hours = (seconds: number) => seconds / 3600

/** How many attempts a delivery has, and the days from the first to the last. */
export const attempts = limits.webhookRetrySeconds.length
export const retryDays = (
  limits.webhookRetrySeconds.reduce<number>((sum, wait) => sum + wait, 0) / 86_400
).toFixed(1)
export const joinHours = limits.joinOpensMinutesBefore / 60

/** What the code decides about a patient who is deleted, in the word of the pages. */
export const keptInLive = erasesDeleted('test') && !erasesDeleted('live') ? 'keeps' : ''

/** For how long a request to a clinic waits. */
export const requestDays = await found(
  'database/migrations/0045_grant_requests.sql',
  /for_note, ''\), clock_timestamp\(\) \+ interval '(\d+) days'/,
)

/** How many seconds the time of a signature may differ from the receiver's clock. */
export const tolerance = await found(
  'clients/generate/transport.ts',
  /signatureToleranceSeconds: (\d+)/,
)
