import type { Ranking } from '#content/ranking/rank.ts'
import { ranges, weightNamed } from '#http/accept.ts'
import type { TextAnswer } from '#http/answer.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { cached } from './answer-cache.ts'
import { askTexts, type ReadFile, usageTexts } from './ask-answers.ts'
import { type AskRequest, hint, noQuestion, readAsked } from './ask-request.ts'

/** `/ask` in NLWeb 0.55's format, which clients of the older flat format can also read. */
export function askRoute(
  rank: Ranking,
  read: ReadFile,
): (request: HttpRequest) => Promise<TextAnswer> | TextAnswer {
  const texts = askTexts(rank, read)
  const answer = (asked: AskRequest) =>
    asked.streaming ? events(texts.events(asked)) : json(texts.json(asked))
  const answerRead = (prefersEvents: boolean) =>
    cached(cachedMax, ({ search }: Pick<HttpRequest, 'search'>) => {
      const asked = readAsked(undefined, new URLSearchParams(search), prefersEvents)
      if (asked.query !== undefined) return answer(asked)
      // Scanners probe this endpoint without a question, and would treat an error as a missing
      // endpoint.
      return asked.streaming ? events(usageTexts.events) : json(usageTexts.json)
    })
  const [inOnePiece, asEvents] = [answerRead(false), answerRead(true)]
  return request => {
    const prefersEvents = takesEvents(request.headers)
    if (request.method !== 'POST') return (prefersEvents ? asEvents : inOnePiece)(request)
    const { searchParams } = request.url
    const isInAddress = readAsked(undefined, searchParams, false).query !== undefined
    return (isInAddress ? request.optionalObject(hint) : request.object(hint)).then(body => {
      const asked = readAsked(body, searchParams, prefersEvents)
      if (asked.query === undefined) throw noQuestion()
      return answer(asked)
    })
  }
}

/** Limits memory use: a response takes about 5 kB for 10 links, and 25 kB for 50. */
const cachedMax = 512

/** Whether a person opened the URL in a browser, which prefers HTML over the formats that programs
 *  request. */
export function prefersPage(headers: Headers): boolean {
  const all = ranges(headers.get('accept') ?? '')
  const weightOf = (name: string) => weightNamed(all, name) ?? 0
  const others = ['application/json', 'text/event-stream'].map(weightOf)
  return weightOf('text/html') > Math.max(...others)
}

/** By default, a client that accepts events but not JSON gets events. */
function takesEvents(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  const weight = weightNamed(ranges(accept), 'text/event-stream') ?? 0
  return weight > 0 && !accept.includes('json')
}

/** The same URL responds with a page, JSON or events. */
export const varies = { vary: 'Accept' } as const

const json = (body: string): TextAnswer => ({ type: 'application/json', body, headers: varies })

const events = (body: string): TextAnswer => ({
  type: 'text/event-stream; charset=utf-8',
  body,
  // A proxy that buffers the response would defeat streaming.
  headers: { ...varies, 'x-accel-buffering': 'no' },
})
