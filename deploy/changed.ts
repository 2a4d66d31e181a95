// What a publication changed, in the words of an editor: which pages are new, other, or gone.
import { readdir } from 'node:fs/promises'
import path from 'node:path'

const shown = 10

export async function describeChanges(before: string, after: string): Promise<string[]> {
  const [old, now] = await Promise.all([pagesOf(before), pagesOf(after)])
  const lines = [
    ...[...now.keys()].filter(page => !old.has(page)).map(page => `new      ${page}`),
    ...[...now].filter(([page, text]) => differs(old.get(page), text)).map(other),
    ...[...old.keys()].filter(page => !now.has(page)).map(page => `gone     ${page}`),
  ]
  if (lines.length === 0) return ['no page changed']
  const rest = lines.length - shown
  return rest > 0 ? [...lines.slice(0, shown), `and ${rest} more pages`] : lines
}

const differs = (old: string | undefined, now: string) => old !== undefined && old !== now
const other = ([page]: [string, string]) => `changed  ${page}`

/** The main part of each page, because a new style sheet changes the name of its file in all. */
async function pagesOf(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.html'))
  const pages = names.sort().map(async (name): Promise<[string, string]> => {
    const html = await Bun.file(path.join(folder, name)).text()
    const page = `/${name.replace(/\.html$/, '')}`.replace(/\/index$/, '') || '/'
    return [page, /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html]
  })
  return new Map(await Promise.all(pages))
}
