// Pipeline errors, worded for clinic staff.
import type { Problem } from '#contract/problems.ts'
import { Alert } from '#http/html/fields.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { problemText as textOf } from '#http/pages/problem-text.ts'
import { missingPage, refusedPage } from '#http/pages/refused.tsx'
import type { FormRefusal } from './act.ts'
import { faultText } from './confirm.tsx'
import { formFields } from './form-fields.ts'

const problemText = (problem: Problem) => textOf(problem, {}, formFields)

export const ProblemNote = ({ problem }: { problem: Problem | null }) =>
  problem === null ? null : <Alert>{problemText(problem)}</Alert>

type NoteProps = { readonly of: FormRefusal; readonly undone?: 'signed' | 'saved' }

/** Shows why the form was refused. `undone` is the action that didn't happen. */
export const RefusedNote = ({ of: { problem, fault }, undone = 'saved' }: NoteProps) =>
  fault === undefined ? (
    <ProblemNote problem={problem ?? null} />
  ) : (
    <Alert>
      Nothing was {undone} yet. {faultText(fault)}
    </Alert>
  )

export const refused = (title: string, problem: Problem): PageAnswer =>
  refusedPage(title, problem, problemText(problem))

export const missing = (title: string, href: string, back: string): PageAnswer =>
  missingPage(title, { href, back, lead: 'Check the URL. This may belong to another clinic.' })
