// The pipeline's refusals, as a page in the frame or a note above a form.
import type { ComponentChildren } from 'preact'
import { type Problem, type ProblemCode, problems } from '#contract/problems.ts'
import { Heading, Missing } from '../html/parts.tsx'
import type { PageAnswer } from './answer.tsx'

/** Replaces hints that are written for programs. */
export type Hints = Partial<Record<ProblemCode, string>>

/** What happened, and what to do next. */
export function problemText({ code, content }: Problem, hints: Hints = {}): string {
  const faults = (content.errors ?? []).map(({ message }) => message)
  if (faults.length > 0) return faults.join(' ')
  const hint = hints[code] ?? content.hint ?? problems[code].hint
  return [content.detail ?? problems[code].title, hint].join(' ')
}

/** Replaces a page whose data was refused. */
export const refusedPage = (
  title: string,
  { code }: Problem,
  text: string,
  remedy: ComponentChildren = null,
): PageAnswer => ({
  title,
  status: problems[code].status,
  content: (
    <>
      <Heading title={title} />
      <p class="note">{text}</p>
      {remedy}
    </>
  ),
})

/** Replaces a page that doesn't exist, or no longer does. */
export const missingPage = (
  title: string,
  { href, back, lead }: { href: string; back: string; lead: string },
): PageAnswer => ({
  title,
  status: 404,
  content: (
    <Missing title={title} href={href} back={back}>
      {lead}
    </Missing>
  ),
})
