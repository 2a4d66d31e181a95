import { daysBetween, lapsedOn, reviewPeriodOf } from '../expiry.ts'
import { at } from './frontmatter.ts'
import { type Entry, valueOf } from '../entry.ts'
import type { Content } from '../read.ts'
import type { Finding } from './finding.ts'

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const text = (entry: Entry, key: string): string => {
  const value = valueOf(entry, key)
  return typeof value === 'string' ? value : ''
}

/** Checks what the class of an article requires: a clinician's review, a check day, sources. */
export function checkReview(entry: Entry, content: Content): Finding[] {
  const data: Record<string, unknown> = { ...(entry.data as object) }
  const classes = list(data['class'])
  const found = (key: string, rule: string, message: string, fix: string): Finding => ({
    path: entry.path,
    ...at(entry, [key]),
    rule,
    message,
    fix,
  })
  const reviewer = text(entry, 'reviewed_by')
  const person = valueOf(content.people, reviewer)
  // An unknown name may be a misspelled clinician, which another rule reports.
  const isClinician =
    typeof person === 'object' && person !== null && 'role' in person && person.role === 'clinician'
  const mayBeReviewed = isClinician || (reviewer !== '' && person === undefined)
  const findings: Finding[] = []
  // A draft is not reviewed yet.
  if (valueOf(entry, 'draft') === true) return findings
  if (classes.includes('C') && (!mayBeReviewed || text(entry, 'reviewed_on') === '')) {
    const message = 'an article of class C must be reviewed by a clinician'
    findings.push(found('class', 'F-review', message, 'add reviewed_by and reviewed_on'))
  }
  if (classes.includes('L') && text(entry, 'checked_on') === '') {
    const message = 'an article of class L must have the day of its last check'
    findings.push(found('class', 'F-checked', message, 'add checked_on'))
  }
  if ((classes.includes('C') || classes.includes('L')) && list(data['sources']).length < 2) {
    const message = 'an article of class C or L must have two sources'
    findings.push(found('class', 'F-sources', message, 'add the documents that it is based on'))
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
