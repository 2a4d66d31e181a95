// Reads intake answers for a chart's banner: the answers that the clinic chose, whether they report
// something, and the BMI.
import type { ClinicText } from '#auth/clinics/texts.ts'

export const bannerSlots = [
  'Allergies',
  'Current medications',
  'Pregnancy',
  'Alerts',
  'Height',
  'Weight',
] as const
export type BannerSlot = (typeof bannerSlots)[number]

/** Each slot's words until an administrator saves others. Each line is text from an answer's ID or
 *  from its question. */
const presetWords: Readonly<Record<BannerSlot, string>> = {
  Allergies: 'allergies\nallergic\nallergy',
  'Current medications':
    'other medications\ncurrent medications\nmedications do you take\nprescriptions do you take',
  Pregnancy: 'pregnant\npregnancy\nbreastfeeding',
  Alerts:
    'suicid\nharm yourself\nchest pain\nheart attack\nstroke\nblood clot\nthyroid cancer\npancreatitis\nkidney\nliver\nseizure\neating disorder',
  Height: 'your height\nheight_\nheight (\nhow tall',
  Weight: 'your weight\ncurrent weight\nweight_\nweight (\nhow much do you weigh',
}

export type IntakeAnswer = {
  readonly id: string
  readonly question: string
  readonly answer: string
}

export type ReadAnswer = IntakeAnswer & {
  /** The banner's label for the answer. Null if the banner doesn't show the answer. */
  readonly slot: BannerSlot | null
  /** Whether the answer says more than no, none or nothing. */
  readonly isTelling: boolean
}

const nothing =
  /^(?:no|none|no known (?:drug )?allerg(?:y|ies)|nkda|n\/?a|not applicable|never|nothing|false|0|-|—)?[.!]?$/i

/** The words the clinic chose for a slot. */
export const wordsOf = (texts: readonly ClinicText[], slot: BannerSlot): string =>
  texts.find(({ kind, name }) => kind === 'banner' && name === slot)?.body ?? presetWords[slot]

/** The answers in order, except that answers that report something come first. */
export function readAnswers(
  answers: readonly IntakeAnswer[],
  texts: readonly ClinicText[],
): readonly ReadAnswer[] {
  const rules = bannerSlots.map(slot => ({
    slot,
    words: wordsOf(texts, slot)
      .toLowerCase()
      .split('\n')
      .map(word => word.trim())
      .filter(word => word !== ''),
  }))
  const read = answers.map(given => {
    const question = given.question.toLowerCase()
    const rule = rules.find(({ words }) =>
      words.some(word => word === given.id.toLowerCase() || question.includes(word)),
    )
    const isTelling = !nothing.test(given.answer.trim())
    return { ...given, slot: rule?.slot ?? null, isTelling }
  })
  const rank = ({ slot, isTelling }: ReadAnswer) =>
    isTelling ? (slot === null || slot === 'Height' || slot === 'Weight' ? 1 : 0) : 2
  return read.toSorted((one, other) => rank(one) - rank(other))
}

/** The patient's own words about a subject. */
export function slotText(answers: readonly ReadAnswer[], slot: BannerSlot) {
  const own = answers.filter(one => one.slot === slot)
  const telling = own.filter(one => one.isTelling)
  const isYes = ({ answer }: ReadAnswer) => /^(?:yes|true)[.!]?$/i.test(answer.trim())
  const text = telling.map(one => (isYes(one) ? `${one.question} Yes` : one.answer)).join('; ')
  if (telling.length > 0) return { text, isTelling: true }
  const [first] = own
  return { text: first === undefined ? 'Not asked' : first.answer || 'No answer', isTelling: false }
}

const number = String.raw`(\d+(?:\.\d+)?)`

/** Null if neither the answer nor the question states a unit, or if the answer can't be parsed. */
function centimetersIn({ question, answer }: IntakeAnswer): number | null {
  const text = answer.toLowerCase()
  const feet = new RegExp(
    `${number}\\s*(?:'|′|’|ft|feet|foot)\\s*(?:${number}\\s*(?:"|″|”|in|inch(?:es)?)?)?`,
  ).exec(text)
  if (feet) return Number(feet[1]) * 30.48 + Number(feet[2] ?? 0) * 2.54
  return measured(text, question, [
    [/cm|centimeters?/, 1],
    [/in|inch|inches|"/, 2.54],
    [/m|meters?/, 100],
  ])
}

/** Null if neither the answer nor the question states a unit, or if the answer can't be parsed. */
const kilogramsIn = ({ question, answer }: IntakeAnswer): number | null =>
  measured(answer.toLowerCase(), question, [
    [/kgs?|kilos?|kilograms?/, 1],
    [/lbs?|pounds?/, 0.45359237],
  ])

/** The unit is next to the number, or in the question. */
function measured(
  text: string,
  question: string,
  units: readonly (readonly [RegExp, number])[],
): number | null {
  for (const [unit, factor] of units) {
    const found = new RegExp(`${number}\\s*(?:${unit.source})(?![a-z])`).exec(text)
    if (found) return Number(found[1]) * factor
  }
  const bare = new RegExp(`^${number}$`).exec(text.trim())
  if (!bare) return null
  const stated = units.find(([unit]) =>
    new RegExp(`\\b(?:${unit.source})\\b`).test(question.toLowerCase()),
  )
  return stated === undefined ? null : Number(bare[1]) * stated[1]
}

/** Rounded to one decimal. Null if height or weight has no unit or can't be right. */
export function bmiOf(answers: readonly ReadAnswer[]): string | null {
  const of = (slot: BannerSlot) => answers.find(one => one.slot === slot && one.isTelling)
  const [height, weight] = [of('Height'), of('Weight')]
  const cm = height ? centimetersIn(height) : null
  const kg = weight ? kilogramsIn(weight) : null
  if (cm === null || kg === null || cm < 50 || cm > 260 || kg < 10 || kg > 500) return null
  return (kg / (cm / 100) ** 2).toFixed(1)
}
