// `bun content/due.ts --today=2026-11-21`: pages whose facts have to be checked again within two
// weeks, or should have been; with `--json`, as the issues that `deploy/issues.ts` opens.
import { ownersOf } from './checks/owners.ts'
import { pathOf } from './checks/links.ts'
import { checkedOn, dayAfter, daysBetween, lapsedOn, lifeOf } from './expiry.ts'
import { type Content, type Entry, readContent, valueOf } from './read.ts'
import config from './site.config.ts'

/** How long before a page is due its owners hear of it. */
const noticeDays = 14

export type Due = {
  path: string
  address: string
  owners: string[]
  checked: string
  due: string
  /** From when it is taken down; nothing where no calendar does that. */
  down: string | undefined
  isDown: boolean
}

export function dueOn(content: Content, today: string): Due[] {
  const entries = [...content.articles, ...content.comparisons]
  return entries
    .filter(entry => valueOf(entry, 'draft') !== true)
    .flatMap(entry => dueOf(entry, today) ?? [])
    .toSorted((one, other) => (one.due < other.due ? -1 : 1))
}

function dueOf(entry: Entry, today: string): Due | undefined {
  const checked = checkedOn(entry)
  if (checked === undefined) return undefined
  const { due: days, over } = lifeOf(entry)
  const due = dayAfter(checked, days)
  if (daysBetween(today, due) > noticeDays) return undefined
  const down = lapsedOn(entry, dayAfter(checked, over + 1))
  return {
    path: entry.path,
    address: pathOf(entry) ?? '/',
    owners: ownersOf(entry).map(owner => config.owners[owner]),
    checked,
    due,
    down,
    isDown: lapsedOn(entry, today) !== undefined,
  }
}

/** One issue a page and a day of check: it is not opened twice, and the next check's is another. */
export function issueOf({ path, address, owners, checked, due, down, isDown }: Due) {
  const end =
    down === undefined
      ? 'The lint stops publishing it from a year after the check.'
      : isDown
        ? `It answers 410 since ${down}, and says why.`
        : `On ${down} it is taken down, and its address says why.`
  return {
    title: `Check the facts of ${address}, last checked on ${checked}`,
    body: [
      `\`${path}\` is due on ${due}. ${end}`,
      'Read each source again, mend the text where it changed, and set `checked_on` and each `accessed` to the day of that.',
      `For: ${owners.join(', ')}`,
    ].join('\n\n'),
  }
}

if (import.meta.main) {
  const today = process.argv.find(word => word.startsWith('--today='))?.slice('--today='.length)
  if (today === undefined) throw new Error('say which day it is: --today=2026-11-21')
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
