// The one writer of problem bodies of the clinical API (RFC 9457, contract/04). It knows what a
// refusal says in public and nothing of what caused it.
import { type Problem, type ProblemCode, problems } from '#contract/problems.ts'

export type Rendered = { status: number; body: string; headers: Record<string, string> }

/** What is said when the refusal itself says no more. */
const details: Partial<Record<ProblemCode, string>> = {
  not_found: 'No such resource exists for this integration, organization and mode.',
  baa_required: 'The integration has no business associate agreement in force.',
  idempotency_key_reused: 'The key was first used with another method, path, query or body.',
  live_not_available: 'This operation exists in test mode only.',
  consent_required: 'The case does not name both current consents.',
}

export function problemWriter(base: string) {
  return ({ code, said }: Problem, requestId: string): Rendered => {
    const { status, title, hint } = problems[code]
    const fixed = {
      type: `${base}/problems/${code}`,
      title,
      status,
      detail: said.detail ?? details[code] ?? `${title}.`,
      code,
      request_id: requestId,
      hint: said.hint ?? hint,
      ...(said.errors ? { errors: said.errors } : {}),
    }
    // Spread twice: members come last, and none of them may replace what is fixed.
    const body = JSON.stringify({ ...fixed, ...said.members, ...fixed })
    return { status, body, headers: { ...said.headers, 'content-type': problemType } }
  }
}

export const problemType = 'application/problem+json'
