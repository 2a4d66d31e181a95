// The entrance of a patient's link: it asks for the date of birth, and says nothing of the visit.

import { limits } from '#contract/limits.ts'
import { formats } from '#contract/api/text-formats.ts'
import { emergency, htmlDocument } from './visit-document.ts'

const parts = [
  ['month', 'Month', 2],
  ['day', 'Day', 2],
  ['year', 'Year', 4],
] as const

/** The date of a form as 1990-04-02; null for what is no date. */
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

const triesText = (left: number) => (left === 1 ? 'once more' : `${left} more times`)

type Shown = {
  readonly clinic: string
  /** Wrong dates that were entered. */
  readonly tries: number
  /** Whether what was sent is no date, which is no try. */
  readonly isFaulty: boolean
}

export function entrancePage({ clinic, tries, isFaulty }: Shown): string {
  const alert = isFaulty
    ? 'Enter the month, the day and the year as numbers, such as 4, 27 and 1985.'
    : tries > 0
      ? `That is not the patient’s date of birth. You can try ${triesText(limits.joinTriesMax - tries)}.`
      : null
  const main = [
    '<h1>Before you enter</h1>',
    `<p class="lead">Enter the patient’s date of birth. It keeps your visit private if this link was
passed on.</p>`,
    ...(alert === null ? [] : [`<p class="note" role="alert">${alert}</p>`]),
    `<form method="post"><fieldset><legend>Date of birth</legend>
${inputs}</fieldset>
<button class="button">Continue</button></form>`,
    `<p class="small">The link then works in this browser only.</p>`,
  ]
  return htmlDocument('Before you enter', clinic, main.join('\n'), emergency)
}
