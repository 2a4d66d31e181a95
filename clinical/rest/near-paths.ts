// Suggestions for an unknown path: operations whose paths share a word with it. Words come from the
// contract, so suggestions disclose nothing about stored data.

import { callable } from '#contract/callable.ts'

const shownMax = 3
/** No path in the contract has more segments; the rest of a longer path is ignored. */
const wordsMax = 8
/** Words that don't distinguish paths. */
const common = new Set(['', 'v1', 'preview', 'test'])

const operations = Object.values(callable).map(({ method, path }) => {
  const words = path.split('/').filter(word => !common.has(word) && !word.startsWith('{'))
  return { call: `${method} ${path}`, path, words }
})

/** Returns the common prefix's length, or 0 if it doesn't cover nearly all of the shorter word. */
function prefixLength(sent: string, word: string): number {
  const [one, other] = [sent.replaceAll('-', '_'), word]
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at >= 4 && at >= Math.min(one.length, other.length) - 1 ? at : 0
}

/** Returns up to three calls, the most likely first; none if no word matches. */
export function nearPaths(method: string, pathname: string): string[] {
  const bare = pathname.toLowerCase().replace(/\/+$/, '').replaceAll(/\/+/g, '/')
  const sent = bare.split('/', wordsMax).filter(word => !common.has(word))
  const last = sent.at(-1) ?? ''
  const isOne = /_[0-9a-z]{26}$/.test(last)
  const wanted = method === 'HEAD' ? 'GET' : method
  const scored = operations.map(({ call, path, words }) => {
    const score = sent.reduce(
      (sum, one) => sum + Math.max(0, ...words.map(word => prefixLength(one, word))),
      0,
    )
    const end = words.at(-1) ?? ''
    return {
      call,
      score:
        score === 0
          ? 0
          : score +
            (path === bare ? 100 : 0) +
            (prefixLength(last, end) > 0 ? 10 : 0) +
            (isOne && path.endsWith('}') ? 2 : 0) +
            (call.startsWith(`${wanted} `) ? 5 : 0) -
            path.split('/').length,
    }
  })
  return scored
    .filter(one => one.score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, shownMax)
    .map(one => one.call)
}
