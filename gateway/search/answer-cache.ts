// Answers that do not change while a build is served, cached by what was asked for.
import { LRUCache } from 'lru-cache'
import type { TextAnswer } from '#http/answer.ts'
import type { RequestContext } from '#http/request-context.ts'

/** A longer query than people and their programs send is answered, and not cached. */
const lengthMax = 600

/** Answers a call as `answer` does, and the same call at once the next time. What throws is not
 *  cached. Of more than `most` answers the one that was used least recently is dropped. */
export function cached<C extends Pick<RequestContext, 'search'>>(
  most: number,
  answer: (call: C) => TextAnswer,
): (call: C) => TextAnswer {
  const answers = new LRUCache<string, TextAnswer>({ max: most })
  return call => {
    const { search } = call
    const before = answers.get(search)
    if (before !== undefined) return before
    const made = answer(call)
    if (search.length > lengthMax) return made
    answers.set(search, made)
    return made
  }
}
