// A refusal of the pipeline as a page in the frame, or as a note above a form.
import { type Problem, problems } from '#contract/problems.ts'
import { Alert } from '#http/html/fields.tsx'
import { Heading, Missing } from '#http/html/parts.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'

/** What happened, and what to do next. */
const problemText = ({ code, content }: Problem): string => {
  const faults = (content.errors ?? []).map(({ message }) => message)
  if (faults.length > 0) return faults.join(' ')
  if (code === 'version_changed') {
    return 'It changed since you opened it, and nothing was written. Read it again before you decide.'
  }
  return [content.detail ?? problems[code].title, content.hint ?? problems[code].hint].join(' ')
}

export const ProblemNote = ({ problem }: { problem: Problem | null }) =>
  problem === null ? null : <Alert>{problemText(problem)}</Alert>

/** Instead of a page whose data was refused. */
export const refused = (title: string, problem: Problem): PageAnswer => ({
  title,
  status: problems[problem.code].status,
  content: (
    <>
      <Heading title={title} />
      <p class="note">{problemText(problem)}</p>
    </>
  ),
})

/** A thing that does not exist in this clinic. */
export const missing = (title: string, href: string, back: string): PageAnswer => ({
  title,
  status: 404,
  content: (
    <Missing title={title} href={href} back={back}>
      It was mistyped, or it is of another clinic.
    </Missing>
  ),
})
