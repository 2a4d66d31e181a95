// `POST /api/feedback`: JSON from the page's script, or a plain form without JavaScript.
import { feedbackAnswers, siteLimits } from '#contract/limits.ts'
import { escapePointer, type Fault } from '#contract/faults.ts'
import { Problem } from '#contract/problems.ts'
import type { Answer } from '#http/answer.ts'
import { countInProcess, type OpenCounter, secondsOf, secondsText } from '#http/limits/counter.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { formOf, isForm, refuseOtherSites } from '#http/html/form.ts'
import { networkOf } from '#http/limits/rate-limiter.ts'
import type { Site } from '../static/static.ts'
import type { FeedbackAnswer, FeedbackCount } from './count.ts'

type FeedbackParts = {
  /** Null if counts aren't stored. */
  readonly feedback: FeedbackCount | null
  /** The current build, which determines the pages that exist. */
  site(): Pick<Site, 'text'>
  readonly counter?: OpenCounter
}

export function feedbackEndpoint(parts: FeedbackParts): Endpoint {
  const { feedback, site, counter = countInProcess } = parts
  const takeQuota = openQuota(counter)
  return {
    path: '/api/feedback',
    methods: ['POST'],
    errorFormat: 'problem',
    async answer(request): Promise<Answer> {
      refuseOtherSites(request)
      const isFromForm = isForm(request)
      const given = isFromForm
        ? Object.fromEntries(await formOf(request))
        : await request.object(hint)
      const { page, answer } = read(given, site())
      await takeQuota(request.address)
      await feedback?.(page, answer)
      const headers = feedback === null ? { 'service-dry-run': 'true' } : {}
      if (!isFromForm) return { body: JSON.stringify({ page, answer }), headers }
      return new Response(null, {
        status: 303,
        headers: { ...headers, location: `${page}#thanks` },
      })
    },
  }
}

const hint = 'Send {"page": "/docs/webhooks", "answer": "yes"} as JSON.'

const isAnswer = (value: unknown): value is FeedbackAnswer =>
  feedbackAnswers.some(answer => answer === value)

function read(given: object, site: Pick<Site, 'text'>): { page: string; answer: FeedbackAnswer } {
  const { page, answer, ...others }: { page?: unknown; answer?: unknown } = given
  const faults: Fault[] = Object.keys(others).map(name => ({
    pointer: `#/${escapePointer(name)}`,
    code: 'unknown_field',
    message: 'The body must have only the fields page and answer.',
  }))
  const isPage = typeof page === 'string' && page.length <= siteLimits.pathCharacters
  // Every page has a Markdown version, and nothing else does.
  const exists = isPage && site.text(page === '/' ? '/index.md' : `${page}.md`) !== undefined
  if (!exists) faults.push({ pointer: '#/page', code: 'invalid_format', message: pageMessage })
  if (!isAnswer(answer)) {
    faults.push({ pointer: '#/answer', code: 'not_in_enum', message: answerMessage })
  }
  const [first] = faults
  if (first === undefined && exists && isAnswer(answer)) return { page, answer }
  throw new Problem('invalid_request', {
    detail: first?.message ?? '',
    errors: faults.slice(0, faultsMax),
    hint,
  })
}

const faultsMax = 10
const pageMessage = 'page must be the path of a page on this site, such as /docs/webhooks.'
const answerMessage = `answer must be one of ${feedbackAnswers.join(', ')}.`

/** Charges one answer to an address's quota. Callers without a known address aren't limited. */
function openQuota(counter: OpenCounter) {
  const { feedbackPerHour } = siteLimits
  const taken = counter('feedback', feedbackPerHour, 3600)
  return async (address: string | null): Promise<void> => {
    if (address === null) return
    const { left, milliseconds } = await taken.take(networkOf(address))
    if (left >= 0) return
    const seconds = secondsOf(milliseconds)
    throw new Problem('rate_limited', {
      detail: `At most ${feedbackPerHour} answers are counted from one IP address in an hour.`,
      hint: `Wait ${secondsText(seconds)}, then send the answer again.`,
      headers: { 'retry-after': String(seconds) },
    })
  }
}
