import { daysBetween, lapsedOn, reviewPeriodOf } from '../expiry.ts'
import { at } from './frontmatter.ts'
import { type Entry, valueOf } from '../entry.ts'
import type { Content } from '../read.ts'
import { awaitedReviewers, reviewingRoles } from '../reviewers.ts'
import { type Person, person } from '../schema.ts'
import type { Finding } from './finding.ts'

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const text = (entry: Entry, key: string): string => {
  const value = valueOf(entry, key)
  return typeof value === 'string' ? value : ''
}

/** The people of `reviewed_by` that exist; a misspelled name is reported by another rule. */
function reviewersOf(entry: Entry, content: Content): { role: Person['role'] }[] {
  return list(valueOf(entry, 'reviewed_by')).flatMap(key => {
    const found = person.safeParse(valueOf(content.people, String(key)))
    return found.success ? [found.data] : []
  })
}

/** Checks what the class of an article requires: reviews, a check day, sources. */
export function checkReview(entry: Entry, content: Content): Finding[] {
  const classes = list(valueOf(entry, 'class'))
  const found = (key: string, rule: string, message: string, fix: string): Finding => ({
    path: entry.path,
    ...at(entry, [key]),
    rule,
    message,
    fix,
  })
  const findings: Finding[] = []
  // A draft is not reviewed yet.
  if (valueOf(entry, 'draft') === true) return findings
  const reviewers = reviewersOf(entry, content)
  const hasReviewers = list(valueOf(entry, 'reviewed_by')).length > 0
  if (hasReviewers !== (text(entry, 'reviewed_on') !== '')) {
    const [key, other] = ['reviewed_by', 'reviewed_on']
    const message = `${key} must have ${other}, and ${other} ${key}`
    findings.push(found(hasReviewers ? key : other, 'F-review', message, 'write both, or neither'))
  }
  if (reviewers.some(({ role }) => !reviewingRoles.includes(role))) {
    const message = `reviewed_by must name people whose role is ${reviewingRoles.join(' or ')}`
    findings.push(found('reviewed_by', 'F-review', message, 'name who reviewed it'))
  }
  if (classes.includes('L') && text(entry, 'checked_on') === '') {
    const message = 'an article of class L must have the day of its last check'
    findings.push(found('class', 'F-checked', message, 'add checked_on'))
  }
  const isNear = classes.includes('C') || classes.includes('L')
  if (isNear && list(valueOf(entry, 'sources')).length < 2) {
    const message = 'an article of class C or L must have two sources'
    findings.push(found('class', 'F-sources', message, 'add the documents that it is based on'))
  }
  const isMisspelled = list(valueOf(entry, 'reviewed_by')).length > reviewers.length
  const awaited = isMisspelled ? [] : awaitedReviewers(classes, reviewers)
  if (awaited.length > 0) {
    const message = `this page says that it waits for a review by ${awaited.map(({ who }) => who).join(' and ')}`
    const fix = 'have it reviewed, and add reviewed_by and reviewed_on'
    findings.push({ ...found('class', 'F-unreviewed', message, fix), level: 'warning' })
  }
  return findings
}

/**
 * Checks dates against today. It is optional, so that no build fails because a day has passed.
 */
export function checkCalendar(entry: Entry, today: string): Finding[] {
  const findings: Finding[] = []
  for (const key of ['published', 'updated', 'reviewed_on', 'checked_on']) {
    if (text(entry, key) <= today) continue
    const message = `${key} must not be in the future`
    findings.push({ path: entry.path, ...at(entry, [key]), rule: 'F-future', message, fix: today })
  }
  const checked = text(entry, 'checked_on')
  const age = checked === '' ? 0 : daysBetween(checked, today)
  const { due, over } = reviewPeriodOf(entry)
  if (age > due) {
    const lapsed = lapsedOn(entry, today)
    const since = lapsed === undefined ? '' : `, and removed since ${lapsed}`
    const message = `the facts must be checked every ${due} days; they were checked ${Math.floor(age)} days ago${since}`
    const fix = 'read the sources again, update the text, and set checked_on'
    const where = at(entry, ['checked_on'])
    const level = age > over ? 'error' : 'warning'
    findings.push({ path: entry.path, ...where, rule: 'F-stale', message, fix, level })
  }
  return findings
}
