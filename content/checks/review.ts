import {
  ageNotice,
  daysBetween,
  factsOf,
  reviewPeriodOf,
  ruleKeysOf,
  type Rules,
  rulesOf,
} from '../fact-age.ts'
import { at } from './frontmatter.ts'
import { type Entry, valueOf } from '../entry.ts'
import type { Content } from '../read.ts'
import { awaitedReviewers, reviewingRoles } from '../reviewers.ts'
import { type Person, person } from '../schema.ts'
import { type Finding, place } from '../finding.ts'
import { isOurs } from './external-links.ts'
import { linksOf } from './links.ts'

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const text = (entry: Entry, key: string): string => {
  const value = valueOf(entry, key)
  return typeof value === 'string' ? value : ''
}

/** The people in `reviewed_by` who exist; another rule reports a misspelled name. */
function reviewersOf(entry: Entry, content: Content): { role: Person['role'] }[] {
  return list(valueOf(entry, 'reviewed_by')).flatMap(key => {
    const found = person.safeParse(valueOf(content.people, String(key)))
    return found.success ? [found.data] : []
  })
}

/** Checks what an article's class requires: reviews, a check day, sources. */
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
  // A draft hasn't been reviewed yet.
  if (valueOf(entry, 'draft') === true) return findings
  const reviewers = reviewersOf(entry, content)
  const hasReviewers = list(valueOf(entry, 'reviewed_by')).length > 0
  if (hasReviewers !== (text(entry, 'reviewed_on') !== '')) {
    const [key, other] = ['reviewed_by', 'reviewed_on']
    const message = `${key} and ${other} must both be present`
    findings.push(found(hasReviewers ? key : other, 'F-review', message, 'write both, or neither'))
  }
  if (reviewers.some(({ role }) => !reviewingRoles.includes(role))) {
    const message = `reviewed_by must name people whose role is ${reviewingRoles.join(' or ')}`
    findings.push(found('reviewed_by', 'F-review', message, 'name who reviewed it'))
  }
  if (classes.includes('L') && text(entry, 'checked_on') === '') {
    const message = 'a class L article must have the date of its last check'
    findings.push(found('class', 'F-checked', message, 'add checked_on'))
  }
  const isNear = classes.includes('C') || classes.includes('L')
  const documents = list(valueOf(entry, 'sources')).length + ruleKeysOf(entry).length
  if (isNear && documents < 2) {
    const message = 'a class C or L article must have two sources'
    findings.push(found('class', 'F-sources', message, "add the documents it's based on"))
  }
  const isMisspelled = list(valueOf(entry, 'reviewed_by')).length > reviewers.length
  const awaited = isMisspelled ? [] : awaitedReviewers(classes, reviewers)
  if (awaited.length > 0) {
    const message = `this page says it's awaiting review by ${awaited.map(({ who }) => who).join(' and ')}`
    const fix = 'have it reviewed, and add reviewed_by and reviewed_on'
    findings.push({ ...found('class', 'F-unreviewed', message, fix), level: 'warning' })
  }
  return findings
}

type DayAt = { path: (string | number)[]; day: string }

const daysRead = (entry: Entry): DayAt[] =>
  list(valueOf(entry, 'sources')).map((source, index) => ({
    path: ['sources', index, 'accessed'],
    day: source instanceof Object && 'accessed' in source ? String(source.accessed) : '',
  }))

/** Checks dates against today. Age is only a warning, so it never blocks an unrelated push. */
export function checkCalendar(entry: Entry, today: string, rules: Rules): Finding[] {
  const keys = ['published', 'updated', 'reviewed_on', 'checked_on']
  const own = keys.map((key): DayAt => ({ path: [key], day: text(entry, key) }))
  const future = [...own, ...daysRead(entry)].flatMap(({ path, day }): Finding[] => {
    if (day <= today) return []
    const message = `${String(path.at(-1))} must not be in the future`
    return [{ path: entry.path, ...at(entry, path), rule: 'F-future', message, fix: today }]
  })
  return [...future, ...checkAge(entry, today, rules), ...checkEnded(entry, today, rules)]
}

/** The age of the check, or of each source if the page has no check day. */
function checkAge(entry: Entry, today: string, rules: Rules): Finding[] {
  const checked = text(entry, 'checked_on')
  const days = checked === '' ? daysRead(entry) : [{ path: ['checked_on'], day: checked }]
  const facts = factsOf(entry, rules)
  const { due } = reviewPeriodOf(facts)
  const shown = ageNotice(facts, today) === null ? '' : ', and the page says so'
  return days.flatMap(({ path, day }): Finding[] => {
    const age = day === '' ? 0 : daysBetween(day, today)
    if (!(age > due)) return []
    const what = checked === '' ? 'a source must be read again' : 'the facts must be checked'
    const message = `${what} every ${due} days; the last time was ${Math.floor(age)} days ago${shown}`
    const fix = `read the sources again, update the text, and set ${String(path.at(-1))}`
    return [
      { path: entry.path, ...at(entry, path), rule: 'F-stale', message, fix, level: 'warning' },
    ]
  })
}

/** Reports a page based on an expired rule, because the page must be rewritten. */
function checkEnded(entry: Entry, today: string, rules: Rules): Finding[] {
  return ruleKeysOf(entry).flatMap((key, index): Finding[] => {
    const rule = rules.get(key)
    if (rule === undefined || rule.until >= today) return []
    const message = `“${rule.title}” applied until ${rule.until}, and the page says so`
    const fix = 'read what applies now, update the text, and set until in content/rules.yaml'
    const where = at(entry, ['rules', index])
    return [{ path: entry.path, ...where, rule: 'F-ended', message, fix, level: 'warning' }]
  })
}

/** Reports a page that cites an expiring rule's document but doesn't name the rule. */
export function checkCited(entry: Entry, rules: Rules): Finding[] {
  const named = new Set(ruleKeysOf(entry))
  return [...rules].flatMap(([key, { url }]): Finding[] => {
    const offset = named.has(key) ? -1 : entry.source.indexOf(url)
    if (offset < 0) return []
    const message = `a page that cites this must name the rule ${key}, which has an end date`
    const fix = `add rules: [${key}]; the rule is then listed among the sources`
    return [{ path: entry.path, ...place(entry.source, offset, 1), rule: 'F-rule', message, fix }]
  })
}

/**
 * Reports an external link that isn't among the page's sources, which include the day each source
 * was read.
 */
export function checkLinked(entry: Entry, rules: Rules): Finding[] {
  const bodyAt = entry.source.length - entry.body.length
  const ruled = new Set(ruleKeysOf(entry).map(key => rules.get(key)?.url))
  return linksOf(entry).flatMap(({ href, line, column }): Finding[] => {
    const isSourced = entry.source.indexOf(href) < bodyAt || ruled.has(href)
    const isOutside = href.startsWith('https:') && !isOurs.test(href) && !href.includes('{')
    if (!isOutside || isSourced) return []
    const message = 'a linked document must be among the sources'
    const fix = 'add it to sources, with its title and the date you read it'
    return [{ path: entry.path, line, column, rule: 'F-source', message, fix }]
  })
}

/** An Internet-Draft changes with each version and expires, so a source must state its version
 *  and its expiration. */
export function checkDrafts(entry: Entry): Finding[] {
  return list(valueOf(entry, 'sources')).flatMap((source, index): Finding[] => {
    const { title = '', url = '' } = Object(source)
    const isDraft = /\/draft-[a-z0-9-]+/.test(url)
    if (!isDraft || (/\b\d\d(?:\/|\.txt)?$/.test(url) && /\bexpire[ds] on\b/.test(title))) return []
    const message = 'an Internet-Draft source must name its version and expiration'
    const fix = 'end the URL with the version, and the title with “expires on” and the date'
    const where = at(entry, ['sources', index, 'url'])
    return [{ path: entry.path, ...where, rule: 'F-draft', message, fix }]
  })
}

/**
 * Reports days in the future, and rules that no page names, because checking such rules is wasted
 * work.
 */
export function checkRules(content: Content, today: string | undefined): Finding[] {
  const entry = content.rules
  const pages = [...content.articles, ...content.comparisons]
  const named = new Set(pages.flatMap(ruleKeysOf))
  return [...rulesOf(entry)].flatMap(([key, { accessed }]) => {
    const found = (path: string[], rule: string, message: string, fix: string): Finding[] => [
      { path: entry.path, ...at(entry, path), rule, message, fix },
    ]
    if (!named.has(key)) {
      return found([key], 'F-unused', `a page must name ${key}`, 'name it in rules, or remove it')
    }
    if (today === undefined || accessed <= today) return []
    return found([key, 'accessed'], 'F-future', 'accessed must not be in the future', today)
  })
}
