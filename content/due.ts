// `npm run due` lists pages whose facts are overdue or must be checked within two weeks, and
// security.txt if it must be renewed. With `--json`, it prints the issues that `deploy/issues.ts`
// opens. `--today=2026-11-30` is the day.
import { ownersOf } from './checks/owners.ts'
import { pathOf } from './checks/links.ts'
import {
  type AgeNotice,
  ageNotice,
  dayAfter,
  daysBetween,
  daysRead,
  factsOf,
  firstToEnd,
  reviewPeriodOf,
  type Rules,
  rulesOf,
} from './fact-age.ts'
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
  /**
   * The title of the rule that makes the page due; undefined if the page is due because of its
   * check's age.
   */
  rule: string | undefined
  due: string
  /** The page's age notice; null if the page has none. */
  notice: AgeNotice | null
}

export function dueOn(content: Content, today: string): Due[] {
  const entries = [...content.articles, ...content.comparisons, ...content.docs]
  const rules = rulesOf(content.rules)
  return entries
    .filter(entry => valueOf(entry, 'draft') !== true)
    .flatMap(entry => dueOf(entry, today, rules) ?? [])
    .toSorted((one, other) => (one.due < other.due ? -1 : 1))
}

function dueOf(entry: Entry, today: string, rules: Rules): Due | undefined {
  const facts = factsOf(entry, rules)
  // Without a check day, a page is as old as its oldest source.
  const checked = facts.checked_on ?? daysRead(entry).toSorted()[0]
  const ofCheck = checked === undefined ? undefined : dayAfter(checked, reviewPeriodOf(facts).due)
  const first = firstToEnd(facts)
  const isOfRule = first !== undefined && (ofCheck === undefined || first.until <= ofCheck)
  const due = isOfRule ? first.until : ofCheck
  if (due === undefined || daysBetween(today, due) > noticeDays) return undefined
  return {
    path: entry.path,
    address: pathOf(entry) ?? entry.path,
    owners: ownersOf(entry).map(owner => config.owners[owner]),
    checked,
    rule: isOfRule ? first.title : undefined,
    due,
    notice: ageNotice(facts, today),
  }
}

/** Lists security.txt, which says when it expires. */
export function dueSecurityTxt(today: string): Due[] {
  const { securityTxtExpires: due, owners } = config
  if (daysBetween(today, due) > noticeDays) return []
  const [path, address] = ['content/site.config.ts', '/.well-known/security.txt']
  const nothing = { checked: undefined, rule: undefined, notice: null }
  return [{ path, address, owners: [owners.security], due, ...nothing }]
}

function taskOf({ address, checked, rule, due }: Due): [title: string, task: string] {
  if (rule !== undefined) {
    return [
      `Update ${address} for what applies after ${due}`,
      `It relies on “${rule}”, which ends that day. Read what applies now, update the text, and set \`until\` in \`content/rules.yaml\`, or name another rule.`,
    ]
  }
  if (checked !== undefined) {
    return [
      `Check the facts of ${address}, last checked on ${checked}`,
      'Read each source again, update the text where it changed, and set `checked_on` and each `accessed` to today.',
    ]
  }
  return [
    `Renew ${address}, which expires on ${due}`,
    'Check its contact and policy, then set `securityTxtExpires` to a day within a year.',
  ]
}

/** One issue for each page and check day or rule, so no issue is opened twice. */
export function issueOf(found: Due) {
  const { path, owners, due, notice } = found
  const hidden = notice?.isPastLimit === true ? ' It is `noindex`.' : ''
  const shown = notice === null ? '' : ` The page says: “${notice.text}”${hidden}`
  const [title, task] = taskOf(found)
  return {
    title,
    body: [`\`${path}\` is due on ${due}.${shown}`, task, `For: ${owners.join(', ')}`].join('\n\n'),
  }
}

const labelOf = (notice: AgeNotice | null) =>
  notice === null ? '' : notice.isPastLimit ? 'shows a notice, noindex' : 'shows a notice'

if (import.meta.main) {
  const today = process.argv.find(word => word.startsWith('--today='))?.slice('--today='.length)
  if (today === undefined) throw new Error('--today must be a date, such as --today=2026-11-21')
  const found = [...dueOn(await readContent(import.meta.dir), today), ...dueSecurityTxt(today)]
  if (process.argv.includes('--json')) console.log(JSON.stringify(found.map(issueOf), null, 2))
  else {
    for (const { path, due, notice, owners } of found) {
      const parts = [`${path}: due ${due}`, labelOf(notice), owners.join(', ')]
      console.log(parts.filter(Boolean).join(', '))
    }
    console.log(`content: ${found.length} due for a check within ${noticeDays} days`)
  }
}
