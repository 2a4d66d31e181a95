// Shows a page again with the entries of a form that wasn't saved.
import { htmlOf } from '../html/document.tsx'
import { Alert } from '../html/fields.tsx'
import type { PageAnswer } from './answer.tsx'

/** A request for one row, with the submitted form fields. */
type FormOf<Id> = { readonly row: Id; readonly form: URLSearchParams }

/** The submitted value of a field in this row's form. Null on a page and for another form. */
export const typedIn = <Id,>(call: FormOf<Id>, row: Id, name: string): string | null =>
  call.row === row ? call.form.get(name) : null

/** Whether another person saved since this form's page was opened. */
export function isOutdated<Id>(call: FormOf<Id>, row: Id, revision: string): boolean {
  const read = typedIn(call, row, 'revision')
  return read !== null && read !== revision
}

/** The hint for a field whose text differs from the saved text, after another person changed it. */
export const savedHint = (saved: string): string =>
  saved === '' ? 'Currently saved: nothing.' : `Currently saved: “${saved}”.`

/** Fields that pages fill in themselves. A form with no others is only a button. */
const hiddenNames = new Set(['once', 'version', 'revision'])

export const hasEntries = (names: Iterable<string>): boolean =>
  [...names].some(name => !hiddenNames.has(name))

/** The page of an unsent form, with an alert that it wasn't sent. */
export function notSent({ form }: { form: URLSearchParams }, answer: PageAnswer): PageAnswer {
  if (!('content' in answer)) return answer
  const html = htmlOf(answer.content)
  const changed = ['version', 'revision'].some(name => {
    const read = form.get(name)
    return read !== null && !html.includes(`name="${name}" value="${read}"`)
  })
  const [first, last] = hasEntries(form.keys())
    ? ['Not sent yet.', 'Review your entries, then send them.']
    : ['Not done yet.', 'Review the page, then try again.']
  const between = changed
    ? ' Someone changed this after you opened it, and the page shows the current version. '
    : ' '
  return {
    ...answer,
    status: 403,
    content: (
      <>
        <Alert>{`${first}${between}${last}`}</Alert>
        {answer.content}
      </>
    ),
  }
}

/** Whether a person typed the value: versions, IDs and choices contain no space. */
const isText = (value: string) => /\s/.test(value.trim())

/**
 * Adds the typed text, so it can be copied, if the page no longer shows it, for example because the
 * case has since been decided.
 */
export function withTyped(
  { form }: { form: URLSearchParams },
  answer: PageAnswer,
  secrets: readonly string[] = [],
): PageAnswer {
  if (!('content' in answer) || (answer.status ?? 200) < 400) return answer
  const html = htmlOf(answer.content)
  const isShown = (value: string) => html.includes(htmlOf(<>{value}</>).split('\n')[1] ?? value)
  const lost = [...form]
    .filter(([name]) => !secrets.includes(name))
    .map(([, value]) => value.trim().replaceAll('\r\n', '\n'))
    .filter(value => isText(value) && !isShown(value))
  if (lost.length === 0) return answer
  return {
    ...answer,
    content: (
      <>
        {answer.content}
        <section class="note">
          <h2>Your entries</h2>
          <p>
            This page no longer has a form for these entries, and they aren’t saved anywhere else.
            Copy what you need.
          </p>
          {lost.map(value => (
            <p key={value} class="lines">
              {value}
            </p>
          ))}
        </section>
      </>
    ),
  }
}
