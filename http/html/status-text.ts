// Statuses as people read them. The API keeps its own spelling.

const words: ReadonlyMap<string, string> = new Map([
  ['cancelled', 'canceled'],
  ['no_show', 'no-show'],
  ['lapsed', 'expired'],
])

/** `in_review` as "in review", for use in a sentence. */
export const statusWords = (status: string): string =>
  words.get(status) ?? status.replaceAll('_', ' ')

/** `in_review` as "In review". */
export function statusText(status: string): string {
  const text = statusWords(status)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
