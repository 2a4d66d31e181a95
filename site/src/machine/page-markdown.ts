import type { Gone } from '#content/records.ts'
import type { Sample } from '#content/schema.ts'
import { problemPath } from '#content/reference.ts'
import { problems } from '#contract/problems.ts'
import type { Guide, Reference, Text, Versus } from '../catalog.ts'
import { describeFigures } from '../figures/figures.ts'
import { readable } from '../render/day.ts'
import { comparisonNotice, notices, notTheProvider } from '../render/notices.ts'
import { agedMarkdown, fenced, list, markdownPage, sourcesMarkdown } from './markdown-version.ts'
import { endNotice } from '../render/sources.ts'

/** The notices that a page's words require. */
export function noticesOn(body: string): string[] {
  return notices({ class: [], tags: [], text: body })
}

/** The Markdown version of a removed page's notice. */
export function goneMarkdown({ path, title, on, why, instead }: Gone): string {
  return markdownPage({ title, description: why, path, updated: on }, [
    `# ${title}`,
    `410. Taken down on ${readable(on)}. ${why}`,
    list([
      ...(instead === null ? [] : [`[Read this instead](${instead}): the page that replaces it`]),
      '[Search](/search): find any page by question or name',
      '[Home](/): what we do, with a real request',
      '[llms.txt](/llms.txt): every page, one line each, in Markdown',
    ]),
  ])
}

/** The removal notice as JSON: RFC 9457, with the fields of every problem. */
export function goneProblem({ title, on, why, instead }: Gone): object {
  const { status, hint } = problems.page_gone
  const detail = `Taken down on ${readable(on)}. ${why}`
  const type = problemPath('page_gone')
  return { type, title, status, detail, code: 'page_gone', hint, instead }
}

export function textMarkdown(page: Text): string {
  return markdownPage(page, [
    `# ${page.heading}`,
    page.description,
    `Updated ${readable(page.updated)}`,
    describeFigures(page.body),
    noticesOn(page.body).join('\n\n'),
    notTheProvider,
  ])
}

/** The docs' first page, with the commands that start a sandbox. */
export function docsMarkdown(page: Text, start: Sample): string {
  return markdownPage(page, [
    `# ${page.heading}`,
    page.description,
    `Updated ${readable(page.updated)}`,
    fenced(start),
    page.body,
    notTheProvider,
  ])
}

export function compareMarkdown(page: Text, all: Versus[], updated: string): string {
  return markdownPage({ ...page, updated }, [
    `# ${page.heading}`,
    page.body,
    ...all.map(each => `## [${each.title}](${each.path})\n\n${each.verdict}`),
    notTheProvider,
  ])
}

/** The source of a cell's fact: its publisher, or our own pages. */
export const sourceOf = (source: string | null) => (source === null ? null : new URL(source).host)

/** The notices below a comparison. */
export const comparisonNotices = (each: Versus): string[] => [
  ...noticesOn(each.body),
  comparisonNotice(each.checked_on),
  ...endNotice(each),
]

/** One section for each criterion, because a four-column table is wider than a terminal. */
export function comparisonMarkdown(each: Versus): string {
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
  return markdownPage(each, [
    `# ${each.title}`,
    agedMarkdown(each),
    each.description,
    `Updated ${readable(each.updated)}`,
    `## Verdict\n\n${each.verdict}`,
    `${each.subject}, best for: ${each.best_for.subject}`,
    `${each.alternative}, best for: ${each.best_for.alternative}`,
    `## Criterion by criterion\n\n${criteria.join('\n\n')}`,
    describeFigures(each.body),
    sourcesMarkdown(each),
    comparisonNotices(each).join('\n\n'),
    notTheProvider,
  ])
}

export function guideMarkdown(guide: Guide, all: Guide[]): string {
  const at = all.indexOf(guide)
  const [before, after] = [all[at - 1], all[at + 1]]
  return markdownPage(guide, [
    `# ${guide.title}`,
    guide.description,
    `Guide ${at + 1} of ${all.length}, ${guide.group} · Updated ${readable(guide.updated)}`,
    describeFigures(guide.body),
    sourcesMarkdown(guide),
    list([
      ...(before === undefined ? [] : [`Before: [${before.title}](${before.path})`]),
      ...(after === undefined ? [] : [`Next: [${after.title}](${after.path})`]),
    ]),
    noticesOn(guide.body).join('\n\n'),
    notTheProvider,
  ])
}

export function referenceMarkdown(page: Reference): string {
  return markdownPage(page, [
    `# ${page.title}`,
    `Contract version: ${readable(page.updated)}`,
    describeFigures(page.body),
    notTheProvider,
  ])
}
