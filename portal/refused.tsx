// A pipeline error as a page in the frame, as a field error, or as a note above a form.
import type { Problem, ProblemCode } from '#contract/problems.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { MemberCall } from './context.ts'
import type { PageId } from './table.ts'
import { type Hints, problemText as textOf } from '#http/pages/problem-text.ts'
import { missingPage, refusedPage } from '#http/pages/refused.tsx'

const hints: Hints = {
  insufficient_scope:
    'The clinic didn’t grant this scope, or your role doesn’t include it. Check Clinics and Members.',
  organization_not_granted: 'Request access under Clinics.',
  baa_required: 'An owner can accept it under Go live.',
}

/** A member may be a developer, so a sandbox hint may name the call that comes first. */
export const problemText = (problem: Problem): string => {
  const { hint } = problem.content
  const isStep = problem.code === 'invalid_transition' && hint !== undefined
  return textOf(problem, isStep ? { ...hints, invalid_transition: hint } : hints)
}

/** The page where a member can fix an error. */
const remedies: Partial<Record<ProblemCode, { row: PageId; label: string }>> = {
  organization_not_granted: { row: 'organizations', label: 'Clinics' },
  baa_required: { row: 'goLive', label: 'Go live' },
}

function Remedy({ call, code }: { call: MemberCall; code: ProblemCode }) {
  const remedy = remedies[code]
  if (remedy === undefined || !call.mayOpen(remedy.row)) return null
  return (
    <p class="actions">
      <a class="button second" href={call.pathOf(remedy.row)}>
        {remedy.label}
      </a>
    </p>
  )
}

export const refused = (call: MemberCall, title: string, problem: Problem): PageAnswer =>
  refusedPage(title, problem, problemText(problem), <Remedy call={call} code={problem.code} />)

export const missing = (
  title: string,
  href: string,
  back: string,
  lead = 'It may have been deleted, or it’s in the other mode.',
): PageAnswer => missingPage(title, { href, back, lead })
