// What somebody meant who asked for a path that there is not: the operations whose paths share a
// word with it. The words are those of the contract, so the answer tells nothing of anybody.

import { operationIds, table } from '#contract/api.ts'

const shownMax = 3
/** No path of ours has more; what is longer is not looked at further. */
const wordsMax = 8
/** Words that every path may hold. */
const common = new Set(['', 'v1', 'test'])

const operations = operationIds.map(id => {
  const { method, path } = table[id]
  const words = path.split('/').filter(word => !common.has(word) && !word.startsWith('{'))
  return { call: `${method} ${path}`, path, words }
})

/** Of two words that begin alike, how far: most of the shorter one, or they have nothing to do. */
function alike(asked: string, word: string): number {
  const [one, other] = [asked.replaceAll('-', '_'), word]
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at >= 4 && at >= Math.min(one.length, other.length) - 1 ? at : 0
}

/** Up to three calls, the likeliest first; none where no word is known. */
export function nearPaths(method: string, pathname: string): string[] {
  const bare = pathname.toLowerCase().replace(/\/+$/, '').replaceAll(/\/+/g, '/')
  const asked = bare.split('/', wordsMax).filter(word => !common.has(word))
  const last = asked.at(-1) ?? ''
  const wanted = method === 'HEAD' ? 'GET' : method
  const judged = operations.map(({ call, path, words }) => {
    const score = asked.reduce(
      (sum, one) => sum + Math.max(0, ...words.map(word => alike(one, word))),
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
            (alike(last, end) > 0 ? 10 : 0) +
            (call.startsWith(`${wanted} `) ? 5 : 0) -
            path.split('/').length,
    }
  })
  return judged
    .filter(one => one.score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, shownMax)
    .map(one => one.call)
}
