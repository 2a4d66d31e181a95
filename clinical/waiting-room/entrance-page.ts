// The entrance page of a patient's link. It asks for the date of birth, and shows nothing about the
// visit.

import { limits } from '#contract/limits.ts'
import { formats } from '#contract/api/text-formats.ts'
import { emergency, htmlDocument } from './visit-document.ts'

const parts = [
  ['month', 'Month', 2],
  ['day', 'Day', 2],
  ['year', 'Year', 4],
] as const

/** Returns a form's date as 1990-04-02; null if it isn't a date. */
export function dateOf(form: URLSearchParams): string | null {
  const [month, day, year] = parts.map(([name]) => (form.get(name) ?? '').trim().padStart(2, '0'))
  return formats['date']?.(`${year}-${month}-${day}`) ?? null
}

const inputs = parts
  .map(
    ([name, label, length]) =>
      `<label>${label}<input name="${name}" inputmode="numeric" pattern="[0-9]*" maxlength="${length}"
autocomplete="bday-${name}" placeholder="${name[0]?.toUpperCase().repeat(length)}" required></label>`,
  )
  .join('\n')

const triesText = (left: number) => (left === 1 ? 'one more try' : `${left} more tries`)

type EntranceProps = {
  readonly clinic: string
  /** How many wrong dates were entered. */
  readonly tries: number
  /** Whether the submitted text isn't a date, which doesn't count as a try. */
  readonly isFaulty: boolean
}

export function entrancePage({ clinic, tries, isFaulty }: EntranceProps): string {
  const alert = isFaulty
    ? 'Enter the month, day and year as numbers, such as 4, 27 and 1985.'
    : tries > 0
      ? `That doesn’t match the patient’s date of birth. You have ${triesText(limits.joinTriesMax - tries)}.`
      : null
  const main = [
    '<h1>Confirm it’s you</h1>',
    `<p class="lead">Enter the patient’s date of birth. This keeps your visit private if someone else
has the link.</p>`,
    ...(alert === null ? [] : [`<p class="note" role="alert">${alert}</p>`]),
    `<form method="post"><fieldset><legend>Date of birth</legend>
${inputs}</fieldset>
<button class="button">Continue</button></form>`,
    `<p class="small">After this, the link works only in this browser.</p>`,
  ]
  return htmlDocument('Confirm it’s you', clinic, main.join('\n'), emergency)
}
