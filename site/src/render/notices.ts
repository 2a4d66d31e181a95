import { awaitedReviewers } from '#content/reviewers.ts'
import type { Person } from '#content/schema.ts'
import config from '#content/site.config.ts'
import { readable } from './day.ts'

/** The notice in the footer, in every Markdown version and at every sales endpoint. */
export const notTheProvider = `${config.name} provides software. Medical care is provided by independent licensed clinics and clinicians.`

type Facts = {
  class: string[]
  tags: string[]
  text: string
  checked?: string | undefined
}

/**
 * An article's notices. The article's class and words determine the notices, so an editor can't
 * forget one.
 */
export function notices({ class: classes, tags, text, checked }: Facts): string[] {
  return [
    classes.includes('C') &&
      "General information for people who run telehealth programs. It isn't medical advice and doesn't replace a licensed clinician's judgment. If you think you have an emergency, call 911 (US) or your local number.",
    classes.includes('L') &&
      `Information, not legal advice. ${checked === undefined ? 'Rules' : `Checked on ${readable(checked)}; rules`} differ by state and change. Ask your counsel.`,
    /\bapprov(e|ed|es|al)\b/i.test(text) &&
      'A clinician decides each case. Submitting a case does not mean a prescription will be written.',
    /\bcompounded\b/i.test(text) &&
      'Compounded drugs are not FDA-approved: the FDA does not review their safety, effectiveness or quality.',
    (tags.includes('sandbox') || /\/v1\/test\//.test(text)) &&
      "Never put a real person's information into test mode.",
  ].filter(sentence => sentence !== false)
}

type Reviewed = {
  class: readonly string[]
  reviewers: readonly Person[]
  reviewed_on?: string | undefined
}

/**
 * Who reviewed an article, and which reviews are pending; null if the article's class needs no
 * review.
 */
export function reviewNotice({ class: classes, reviewers, reviewed_on }: Reviewed): string | null {
  const names = reviewers.map(({ name, role }) => `${name} (${role})`).join(' and ')
  const awaited = awaitedReviewers(classes, reviewers).map(({ who }) => who)
  const sentences = [
    names !== '' && `Reviewed by ${names} on ${readable(reviewed_on ?? '')}.`,
    awaited.length > 0 && `Not reviewed by ${awaited.join(' or ')}; this page is awaiting review.`,
  ].filter(sentence => sentence !== false)
  return sentences.length === 0 ? null : sentences.join(' ')
}

/**
 * The notice under every comparison: it says when the comparison was checked, who didn't check it,
 * and where to report an error.
 */
export const comparisonNotice = (checked: string) =>
  `We checked these facts against the linked sources on ${readable(checked)}. No clinician or lawyer has reviewed them. Something wrong? ${config.email.sales}`
