// `bun content/due.ts --today=2026-11-21` lists pages whose facts must be checked within two weeks
// or are overdue; with `--json`, as the issues that `deploy/issues.ts` opens.
import { ownersOf } from './checks/owners.ts'
import { pathOf } from './checks/links.ts'
import {
  checkedOn,
  dayAfter,
  daysBetween,
  firstToEnd,
  lastDayOf,
  reviewPeriodOf,
  type Rules,
  rulesOf,
} from './expiry.ts'
import { type Entry, valueOf } from './entry.ts'
import { type Content, readContent } from './read.ts'
import config from './site.config.ts'

/** How long before the due day an issue is opened. */
const noticeDays = 14

export type Due = {
  path: string
  address: string
  owners: string[]
  checked: string | undefined
  /** The title of the rule that makes it due, if it is not the age of the check. */
  rule: string | undefined
  due: string
  /** The day on which it is removed; undefined for a page that never expires. */
  down: string | undefined
  isDown: boolean
}

export function dueOn(content: Content, today: string): Due[] {
  const entries = [...content.articles, ...content.comparisons]
  const rules = rulesOf(content.rules)
  return entries
    .filter(entry => valueOf(entry, 'draft') !== true)
    .flatMap(entry => dueOf(entry, today, rules) ?? [])
    .toSorted((one, other) => (one.due < other.due ? -1 : 1))
}

function dueOf(entry: Entry, today: string, rules: Rules): Due | undefined {
  const checked = checkedOn(entry)
  const ofCheck = checked === undefined ? undefined : dayAfter(checked, reviewPeriodOf(entry).due)
  const first = firstToEnd(entry, rules)
  const isOfRule = first !== undefined && (ofCheck === undefined || first.until <= ofCheck)
  const due = isOfRule ? first.until : ofCheck
  if (due === undefined || daysBetween(today, due) > noticeDays) return undefined
  const last = lastDayOf(entry, rules)?.day
  return {
    path: entry.path,
    address: pathOf(entry) ?? '/',
    owners: ownersOf(entry).map(owner => config.owners[owner]),
    checked,
    rule: isOfRule ? first.title : undefined,
    due,
    down: last === undefined ? undefined : dayAfter(last, 1),
    isDown: last !== undefined && last < today,
  }
}

/** One issue for each page and check day or rule, so that it is not opened twice. */
export function issueOf({ path, address, owners, checked, rule, due, down, isDown }: Due) {
  const end =
    down === undefined
      ? 'The content check fails from a year after the last check.'
      : isDown
        ? `It answers 410 since ${down}.`
        : `On ${down} it is removed and answers 410.`
  const [title, task] =
    rule === undefined
      ? [
          `Check the facts of ${address}, last checked on ${checked}`,
          'Read each source again, update the text where it changed, and set `checked_on` and each `accessed` to that day.',
        ]
      : [
          `Write ${address} for what holds after ${due}`,
          `It rests on “${rule}”, which ends that day. Read what holds since, update the text, and set \`until\` in \`content/rules.yaml\`, or name another rule.`,
        ]
  return {
    title,
    body: [`\`${path}\` is due on ${due}. ${end}`, task, `For: ${owners.join(', ')}`].join('\n\n'),
  }
}

if (import.meta.main) {
  const today = process.argv.find(word => word.startsWith('--today='))?.slice('--today='.length)
  if (today === undefined) throw new Error('--today must be a day, such as --today=2026-11-21')
  const found = dueOn(await readContent(import.meta.dir), today)
  if (process.argv.includes('--json')) console.log(JSON.stringify(found.map(issueOf), null, 2))
  else {
    for (const { path, due, down, isDown, owners } of found) {
      const end = isDown ? 'is down' : down === undefined ? '' : `goes down on ${down}`
      console.log([`${path}: due ${due}`, end, owners.join(', ')].filter(Boolean).join(', '))
    }
    console.log(`content: ${found.length} to be checked within ${noticeDays} days`)
  }
}
