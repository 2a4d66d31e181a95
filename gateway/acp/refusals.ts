import { type AcpDate, type MessageCode, messageCodeIn } from '#contract/site/acp.ts'
import { say } from '#content/consent.ts'
import type { TextAnswer } from '#http/answer.ts'
import { acpError } from '#http/problem-formats.ts'

/**
 * A failure as the protocol's `messages` entry and as its flat error, whose code is free-form.
 * `param` is a JSONPath into the body.
 */
export type Refusal = {
  readonly status: number
  readonly code: string
  /** The protocol's code in `messages`, if it's different. */
  readonly word?: MessageCode
  readonly message: string
  readonly param?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly members?: Readonly<Record<string, unknown>>
  /** Other errors in the same request. */
  readonly more?: readonly Fault[]
}

export type Fault = {
  readonly code: 'missing' | 'invalid' | 'invalid_item_id'
  readonly param: string
  readonly message: string
}

const words: Readonly<Record<string, MessageCode>> = {
  missing: 'missing',
  invalid: 'invalid',
  not_found: 'not_found',
  rate_limited: 'rate_limited',
}

export const consentRefused: Refusal = {
  status: 400,
  code: 'consent_required',
  word: 'invalid',
  message: say('refused'),
  param: '$.user_consent',
}

/** All errors in a body; the first is also the flat error. */
export function expectFaults([first, ...more]: readonly [Fault, ...Fault[]]): Refusal {
  return { status: 400, ...first, more }
}

/**
 * The protocol's flat error, plus the `messages` array in the site's contract, so clients of either
 * format can read the body.
 */
export function refusalBody(refusal: Refusal, date: AcpDate): object {
  const { code, message, param, word, more = [] } = refusal
  const entry = (fault: { code: string; message: string; param?: string | undefined }) => ({
    type: 'error',
    code: messageCodeIn(date, words[fault.code] ?? word ?? 'invalid'),
    content_type: 'plain',
    content: fault.message,
    ...(fault.param === undefined ? {} : { param: fault.param }),
    ...(date === '2026-04-17' ? resolutionOf(fault.param) : {}),
  })
  return acpError(refusal, [entry({ code, message, param }), ...more.map(entry)])
}

/** Only the buyer can fix errors in their own details. */
const resolutionOf = (param: string | undefined) => ({
  resolution: param?.startsWith('$.buyer') ? 'requires_buyer_input' : 'recoverable',
})

export const refuse = (refusal: Refusal, date: AcpDate): TextAnswer => ({
  type: 'application/json',
  status: refusal.status,
  body: JSON.stringify(refusalBody(refusal, date)),
  headers: refusal.headers ?? {},
})
