import config from '#content/site.config.ts'
import { readable } from './day.ts'

/** The notice in the footer, in every Markdown version and at every sales endpoint. */
export const notTheProvider = `${config.name} provides software. Medical care is provided by independent licensed clinics and clinicians.`

type Facts = {
  class: string[]
  tags: string[]
  text: string
  invented: boolean
  checked?: string | undefined
}

/**
 * The notices of an article. They follow from its class and its words, so an editor cannot forget
 * one.
 */
export function notices({ class: classes, tags, text, invented, checked }: Facts): string[] {
  return [
    classes.includes('C') &&
      "General information for people who run telehealth programs. It is not medical advice and does not replace a licensed clinician's judgment. If you may have an emergency, call 911 (US) or your local number.",
    classes.includes('L') &&
      `Information, not legal advice. ${checked === undefined ? 'Rules' : `Checked on ${readable(checked)}; rules`} differ by state and change. Ask your counsel.`,
    /\bapprov(e|ed|es|al)\b/i.test(text) &&
      'A clinician decides each case. Submitting a case does not mean a prescription will be written.',
    /\bcompounded\b/i.test(text) &&
      'Compounded drugs are not FDA-approved: the FDA does not review their safety, effectiveness or quality.',
    (tags.includes('sandbox') || /\/v1\/test\//.test(text)) &&
      "Never put a real person's information into test mode.",
    invented && 'People named here are invented.',
  ].filter(sentence => sentence !== false)
}

/** Under every comparison: when it was checked, and where to report an error. */
export const comparisonNotice = (checked: string) =>
  `Facts checked on ${readable(checked)} from the sources linked. Something wrong? ${config.email.sales}`
