// A refusal of the pipeline as a page in the frame, as a field's fault, or as a note above a form.
import type { Problem, ProblemCode } from '#contract/problems.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { MemberCall } from './context.ts'
import type { PageId } from './table.ts'
import {
  type Hints,
  missingPage,
  problemText as textOf,
  refusedPage,
} from '#http/pages/refused.tsx'

/** Where the hint for a key is of no use to a member. */
const hints: Hints = {
  insufficient_scope:
    'The clinic did not grant it, or your role does not have it: the pages Organizations and Members show both.',
  organization_not_granted: 'Request a clinic’s grant on the page Organizations.',
  baa_required: 'An owner accepts it on the page Go live.',
}

export const problemText = (problem: Problem): string => textOf(problem, hints)

/** The page on which a member can do something about it. */
const remedies: Partial<Record<ProblemCode, { row: PageId; label: string }>> = {
  organization_not_granted: { row: 'organizations', label: 'Organizations' },
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
  lead = 'It was deleted, or it belongs to another mode.',
): PageAnswer => missingPage(title, { href, back, lead })

/** The faults of a form by its fields, which are named like the members of the body. */
export function faultsOf({ content }: Problem): Readonly<Record<string, string | undefined>> {
  const named = (content.errors ?? []).map(({ pointer, message }) => [
    /^(?:#\/|\?)(\w+)/.exec(pointer)?.[1] ?? '',
    message,
  ])
  // The first fault of a field.
  return Object.fromEntries(named.toReversed()) as Record<string, string>
}
