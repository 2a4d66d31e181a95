// The pipeline's refusals, as a page in the frame or a note above a form.
import type { ComponentChildren } from 'preact'
import { type Problem, problems } from '#contract/problems.ts'
import { Heading, Missing } from '../html/parts.tsx'
import type { PageAnswer } from './answer.tsx'

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
