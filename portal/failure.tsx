// The pages of refusals and failures.
import { type Problem, problems } from '#contract/problems.ts'
import type { PortalContext } from './context.ts'
import { failurePage } from '#http/html/page-response.tsx'

/** The same answer for what does not exist and for what the person has no part in. */
export const notFound = (portal: PortalContext): Response =>
  failurePage(portal, {
    status: 404,
    title: 'There is no such page',
    text: 'The address may be mistyped, or it belongs to an integration that you are not a member of.',
    next: { href: '/', label: 'Your integrations' },
  })

/** A form that this browser was not given, or not in this session. */
export const staleForm = (portal: PortalContext, href: string): Response =>
  failurePage(portal, {
    status: 403,
    title: 'This form is out of date',
    text: 'It was open for too long, or you signed in or out since. Nothing was changed.',
    next: { href, label: 'Open it again' },
  })

/** A refusal of the pipeline that a page has no place for. */
export const problemPage = (portal: PortalContext, problem: Problem, requestId: string): Response =>
  failurePage(portal, {
    status: problems[problem.code].status,
    title: problems[problem.code].title,
    text: [problem.content.detail, problem.content.hint ?? problems[problem.code].hint]
      .filter(Boolean)
      .join(' '),
    next: { href: '/', label: 'Your integrations' },
    reference: `${problem.code} ${requestId}`,
  })

export const brokenPage = (portal: PortalContext, requestId: string): Response =>
  failurePage(portal, {
    status: 500,
    title: 'Something went wrong here',
    text: 'The fault is ours. Try again; if it happens again, tell us the reference.',
    next: { href: '/', label: 'Your integrations' },
    reference: requestId,
  })
