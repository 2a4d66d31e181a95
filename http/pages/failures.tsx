// The failures and refusals of every page: what happened, and what to do next.
import { type Problem, problems } from '#contract/problems.ts'
import type { Failure, Page } from './answer.tsx'

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

/** The same answer for what does not exist and for what the person has no part in. */
export const notFound = (reason: string, next: Next): Failure => ({
  status: 404,
  title: 'There is no such page',
  text: `The address may be mistyped, or ${reason}.`,
  next,
})

export const methodRefused = (allow: string): Failure => ({
  status: 405,
  title: 'This page does not answer that method',
  text: `It answers ${allow}.`,
  headers: { allow },
})

export const noForm: Failure = {
  status: 415,
  title: 'This is not a form of these pages',
  text: 'Open the page in a browser, and send its form from there.',
}

/** A form that this browser was not given, or not in this session. */
export const staleForm = (href: string): Failure => ({
  status: 403,
  title: 'This form is out of date',
  text: 'It was open for too long, or you signed in or out since. Nothing was changed.',
  next: { href, label: 'Open it again' },
})

/** A refusal that a page has no place for. */
export const refusedBy = ({ code, content }: Problem, requestId: string, next: Next): Failure => ({
  status: problems[code].status,
  title: problems[code].title,
  text: [content.detail, content.hint ?? problems[code].hint].filter(Boolean).join(' '),
  next,
  reference: `${code} ${requestId}`,
})

export const broken = (requestId: string, next: Next): Failure => ({
  status: 500,
  title: 'Something went wrong here',
  text: 'The fault is ours. Try again; if it happens again, tell us the reference.',
  next,
  reference: requestId,
})
