import { daysBetween, lapsedOn, lifeOf } from '../expiry.ts'
import { at } from './frontmatter.ts'
import { type Content, type Entry, valueOf } from '../read.ts'
import type { Finding } from './finding.ts'

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const text = (entry: Entry, key: string): string => {
  const value = valueOf(entry, key)
  return typeof value === 'string' ? value : ''
}

/** What the class of an article asks for: a clinician's reading, counsel's day, and sources. */
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
  // Whom nobody knows may be a clinician whose name is misspelt, which is said at the name.
  const isClinician =
    typeof person === 'object' && person !== null && 'role' in person && person.role === 'clinician'
  const mayHaveRead = isClinician || (reviewer !== '' && person === undefined)
  const findings: Finding[] = []
  // Nobody has read a draft yet, and nobody can.
  if (valueOf(entry, 'draft') === true) return findings
  if (classes.includes('C') && (!mayHaveRead || text(entry, 'reviewed_on') === '')) {
    const message = 'an article of class C without a clinician who read it'
    findings.push(found('class', 'F-review', message, 'add reviewed_by and reviewed_on'))
  }
  if (classes.includes('L') && text(entry, 'checked_on') === '') {
    const message = 'an article of class L that does not say when its law was read'
    findings.push(found('class', 'F-checked', message, 'add checked_on'))
  }
  if ((classes.includes('C') || classes.includes('L')) && list(data['sources']).length < 2) {
    const message = 'an article of class C or L with fewer than two sources'
    findings.push(found('class', 'F-sources', message, 'add the documents it rests on'))
  }
  return findings
}

/**
 * What only a calendar knows. Nobody's build fails because a day has passed, so it is asked for.
 */
export function checkCalendar(entry: Entry, today: string): Finding[] {
  const findings: Finding[] = []
  for (const key of ['published', 'updated', 'reviewed_on', 'checked_on']) {
    if (text(entry, key) <= today) continue
    const message = `${key} lies in the future`
    findings.push({ path: entry.path, ...at(entry, [key]), rule: 'F-future', message, fix: today })
  }
  const checked = text(entry, 'checked_on')
  const age = checked === '' ? 0 : daysBetween(checked, today)
  const { due, over } = lifeOf(entry)
  if (age > due) {
    const lapsed = lapsedOn(entry, today)
    const since = lapsed === undefined ? '' : `, and taken down since ${lapsed}`
    const message = `checked ${Math.floor(age)} days ago${since}`
    const fix = 'read the sources again, mend the text, and set checked_on'
    const where = at(entry, ['checked_on'])
    const level = age > over ? 'error' : 'warning'
    findings.push({ path: entry.path, ...where, rule: 'F-stale', message, fix, level })
  }
  return findings
}
