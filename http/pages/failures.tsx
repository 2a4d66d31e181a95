// Every page's failures and refusals: what happened, and what to do next.
import { type Problem, problems } from '#contract/problems.ts'
import type { Failure, Page } from './answer.tsx'
import { problemText } from './problem-text.ts'

type Next = Failure['next']

export const failurePage = (failure: Failure): Page & { readonly title: string } => {
  const { title, status, text, next, reference, headers = {} } = failure
  return {
    title,
    status,
    headers,
    content: (
      <>
        <h1>{title}</h1>
        <p class="lead">{text}</p>
        {next && (
          <p class="actions">
            <a class="button" href={next.href}>
              {next.label}
            </a>
          </p>
        )}
        {reference !== undefined && (
          <p class="fine">
            Reference <span class="code">{reference}</span>
          </p>
        )}
      </>
    ),
  }
}

/** The same text for a page that doesn't exist and for a page that the person can't see. */
export const notFound = (reason: string, next: Next): Failure => ({
  status: 404,
  title: 'Page not found',
  text: `Check the URL. ${reason}`,
  next,
})

export const methodRefused = (allow: string): Failure => ({
  status: 405,
  title: 'Method not allowed',
  text: `This page accepts ${allow}.`,
  headers: { allow },
})

export const noForm: Failure = {
  status: 415,
  title: 'Form not recognized',
  text: 'Open the page in a browser and submit its form there.',
}

/** For a form that wasn't issued to this browser in this session. */
export const staleForm = (href: string): Failure => ({
  status: 403,
  title: 'This form is out of date',
  text: 'The page was open too long, or you’ve since signed in or out. Nothing changed.',
  next: { href, label: 'Reload the page' },
})

/** For a refusal that no page handles. */
export const refusedBy = (problem: Problem, requestId: string, next: Next): Failure => ({
  status: problems[problem.code].status,
  title: 'That didn’t work',
  text: problemText(problem),
  next,
  reference: `${problem.code} ${requestId}`,
})

export const broken = (requestId: string, next: Next, email: string): Failure => ({
  status: 500,
  title: 'Something went wrong',
  text: `The error is on our side. Try again. If it keeps happening, send the reference below to ${email}.`,
  next,
  reference: requestId,
})
