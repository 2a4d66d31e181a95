// The pages of refusals and failures.
import { type Problem, problems } from '#contract/problems.ts'
import type { ConsoleContext } from './context.ts'
import { failurePage } from '#http/html/page-response.tsx'

const home = { href: '/', label: 'Your clinic' }

/** The same answer for what does not exist and for what the person has no part in. */
export const notFound = (context: ConsoleContext): Response =>
  failurePage(context, {
    status: 404,
    title: 'There is no such page',
    text: 'The address may be mistyped, or it belongs to a clinic of whose staff you are not.',
    next: home,
  })

/** A form that this browser was not given, or not in this session. */
export const staleForm = (context: ConsoleContext, href: string): Response =>
  failurePage(context, {
    status: 403,
    title: 'This form is out of date',
    text: 'It was open for too long, or you signed in or out since. Nothing was changed.',
    next: { href, label: 'Open it again' },
  })

/** A refusal of the pipeline that a page has no place for. */
export const problemPage = (
  context: ConsoleContext,
  { code, content }: Problem,
  requestId: string,
): Response =>
  failurePage(context, {
    status: problems[code].status,
    title: problems[code].title,
    text: [content.detail, content.hint ?? problems[code].hint].filter(Boolean).join(' '),
    next: home,
    reference: `${code} ${requestId}`,
  })

export const brokenPage = (context: ConsoleContext, requestId: string): Response =>
  failurePage(context, {
    status: 500,
    title: 'Something went wrong here',
    text: 'The fault is ours. Try again; if it happens again, tell us the reference.',
    next: home,
    reference: requestId,
  })
