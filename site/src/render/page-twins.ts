import type { Gone } from '#content/records.ts'
import { problemPath } from '#content/reference.ts'
import { siteProblems } from '#contract/site/problems.ts'
import type { Guide, Reference, Text, Versus } from '../catalog.ts'
import { describeFigures } from '../figures/figures.ts'
import { readable } from './day.ts'
import { comparisonNotice, notices, notTheProvider } from './notices.ts'
import { list, twin } from './twin.ts'

/** What a page owes its readers for the words that stand in it. */
export function noticesOn(body: string): string[] {
  return notices({ class: [], tags: [], text: body, invented: false })
}

/** What a page that was taken down says, to whoever asks for markdown. */
export function goneTwin({ path, title, on, why, instead }: Gone): string {
  return twin({ title, description: why, path, updated: on }, [
    `# ${title}`,
    `410. Taken down on ${readable(on)}. ${why}`,
    list([
      ...(instead === null ? [] : [`[Read this instead](${instead}): what stands there now`]),
      '[Home](/): what this is, with a real request',
      '[llms.txt](/llms.txt): every page, one line each, in markdown',
    ]),
  ])
}

/** The same to whoever asks for JSON: RFC 9457, with the members that every refusal has. */
export function goneProblem({ title, on, why, instead, lapsed }: Gone): object {
  const { status, hint } = siteProblems.page_gone
  const detail = `Taken down on ${readable(on)}. ${why}`
  const problem = { type: problemPath('page_gone'), title, status, detail, code: 'page_gone', hint }
  // Other pages may still lead to one that the calendar took down, and a crawl lets them.
  return lapsed === true ? { ...problem, instead, lapsed } : { ...problem, instead }
}

export function textTwin(page: Text): string {
  return twin(page, [
    `# ${page.heading}`,
    page.description,
    `Updated ${readable(page.updated)}`,
    describeFigures(page.body),
    noticesOn(page.body).join('\n\n'),
    notTheProvider,
  ])
}

export function compareTwin(page: Text, all: Versus[], updated: string): string {
  return twin({ ...page, updated }, [
    `# ${page.heading}`,
    page.body,
    ...all.map(each => `## [${each.title}](${each.path})\n\n${each.verdict}`),
    notTheProvider,
  ])
}

/** Where a cell's fact can be read: its publisher, or our own pages. */
export const sourceOf = (source: string | null) => (source === null ? null : new URL(source).host)

/** One criterion a section: a table of four columns would be wider than a terminal. */
export function comparisonTwin(each: Versus): string {
  const criteria = each.criteria.map(({ name, subject, alternative, source, worse }) =>
    [
      `### ${name}`,
      list([
        `${each.subject}: ${subject}`,
        `${each.alternative}: ${alternative}`,
        ...(worse ? [`Better here: ${each.alternative}`] : []),
        ...(source === null ? [] : [`Source: [${sourceOf(source)}](${source})`]),
      ]),
    ].join('\n\n'),
  )
  return twin(each, [
    `# ${each.title}`,
    each.description,
    `Updated ${readable(each.updated)}`,
    `## Verdict\n\n${each.verdict}`,
    `${each.subject}, best for: ${each.best_for.subject}`,
    `${each.alternative}, best for: ${each.best_for.alternative}`,
    `## Criterion by criterion\n\n${criteria.join('\n\n')}`,
    describeFigures(each.body),
    [...noticesOn(each.body), comparisonNotice(each.checked_on)].join('\n\n'),
    notTheProvider,
  ])
}

export function guideTwin(guide: Guide, all: Guide[]): string {
  const at = all.indexOf(guide)
  const [before, after] = [all[at - 1], all[at + 1]]
  return twin(guide, [
    `# ${guide.title}`,
    guide.description,
    `Guide ${at + 1} of ${all.length}, ${guide.group} · Updated ${readable(guide.updated)}`,
    describeFigures(guide.body),
    list([
      ...(before === undefined ? [] : [`Before: [${before.title}](${before.path})`]),
      ...(after === undefined ? [] : [`Next: [${after.title}](${after.path})`]),
    ]),
    noticesOn(guide.body).join('\n\n'),
    notTheProvider,
  ])
}

export function referenceTwin(page: Reference): string {
  return twin(page, [
    `# ${page.title}`,
    `From the contract of ${readable(page.updated)}`,
    describeFigures(page.body),
    notTheProvider,
  ])
}
