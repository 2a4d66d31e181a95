import { join } from 'node:path'
import type { z } from 'astro/zod'
import { checkBody } from './checks/body.ts'
import { checkChangelog } from './changelog.ts'
import { checkBrand } from './checks/brand.ts'
import { type Finding, print } from './checks/finding.ts'
import { checkReference, checkSchema, checkSlug, checkUnique } from './checks/frontmatter.ts'
import { addresses, checkLinks } from './checks/links.ts'
import { type Contract, checkNames, readContract, referenceOf } from './checks/contract.ts'
import { checkExcused } from './checks/excused.ts'
import { allowedOn, checkProse } from './checks/prose.ts'
import { checkMedia, checkUpdated, committedDays } from './checks/history.ts'
import { checkReading } from './checks/reading.ts'
import { checkRedirects } from './checks/redirects.ts'
import { checkCalendar, checkReview } from './checks/review.ts'
import { fixAll } from './fix.ts'
import { type Content, type Entry, type Folder, readContent, type Single, singles } from './read.ts'
import { sarif } from './sarif.ts'
import { schemas } from './schemas.ts'

/** Everything an editor has to mend, in the order of files and lines. `root` is the repository. */
export async function check(root: string): Promise<Finding[]> {
  return (await inspect(root)).filter(({ level }) => level !== 'warning')
}

/** The same with what is only worth a thought; with a day, also what a calendar finds. */
export async function inspect(root: string, today?: string): Promise<Finding[]> {
  const [content, contract, committed, ...others] = await Promise.all([
    readContent(join(root, 'content')),
    readContract(),
    today === undefined ? new Map<string, string>() : committedDays(root),
    checkBrand(root, 'content'),
    checkBrand(root, 'site'),
    checkMedia(root),
  ])
  const found = [...checkContent(content, contract, { today, committed }), ...others.flat()]
  return found.sort(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column,
  )
}

type Calendar = { today: string | undefined; committed: ReadonlyMap<string, string> }

function checkContent(
  content: Content,
  contract: Contract,
  { today, committed }: Calendar,
): Finding[] {
  const known = addresses(content, referenceOf(contract))
  const { articles, comparisons, docs, pages } = content
  const named = [...articles, ...comparisons, ...docs]
  const listed = [content.home, ...pages, ...named]
  const alone = singles.map(name => content[name])
  const written = [...new Set([...listed, ...content.legal, ...content.skills, ...alone])]
  const excused = new Map(written.map(entry => [entry.path, allowedOn(entry)]))
  const found = [
    ...checkExcused(excused),
    ...written.flatMap(entry => checkSchema(entry, schemaOf(entry))),
    ...named.flatMap(checkSlug),
    ...articles.flatMap(entry => checkArticle(entry, content)),
    ...checkChangelog(content.changelog),
    ...checkUnique(listed, 'title'),
    ...checkUnique(listed, 'description'),
    ...checkRedirects([...named, ...pages], content),
    ...(today === undefined ? [] : listed.flatMap(entry => checkCalendar(entry, today))),
    ...written.flatMap(checkBody),
    ...written.flatMap(checkProse),
    ...named.flatMap(checkReading),
    ...listed.flatMap(entry => checkUpdated(entry, committed)),
    ...written.flatMap(entry => checkNames(entry, contract)),
    ...written.flatMap(entry => checkLinks(entry, known)),
  ]
  return found.filter(({ path, line, rule }) => !excused.get(path)?.get(line)?.has(rule))
}

/** By its folder, or by its own name where it stands alone. */
function schemaOf(entry: Entry): z.ZodType {
  const [, folder = '', file] = entry.path.split('/')
  const key = file === undefined ? entry.name : folder
  return schemas[key as Folder | Single]
}

function checkArticle(entry: Entry, content: Content): Finding[] {
  return [
    ...checkReview(entry, content),
    ...checkReference(entry, 'author', keys(content.people)),
    ...checkReference(entry, 'reviewed_by', keys(content.people)),
    ...checkReference(entry, 'tags', keys(content.tags)),
    ...checkReference(entry, 'related', new Set(content.articles.map(other => other.name))),
  ]
}

function keys(entry: Entry): Set<string> {
  const data = entry.data
  return new Set(typeof data === 'object' && data !== null ? Object.keys(data) : [])
}

/** Places at which an editor has said why a rule does not hold. */
async function countExcused(root: string): Promise<number> {
  const content = await readContent(join(root, 'content'))
  const entries = [...new Set(Object.values(content).flat())]
  return entries.reduce((sum, entry) => sum + allowedOn(entry).size, 0)
}

if (import.meta.main) {
  const began = performance.now()
  const root = join(import.meta.dir, '..')
  const asked = new Set(process.argv.slice(2))
  const today = [...asked].find(word => word.startsWith('--today='))?.slice('--today='.length)
  const seen = await inspect(root, today)
  const found = asked.has('--fix') ? await fixAll(root, seen) : seen
  const errors = found.filter(({ level }) => level !== 'warning')
  if (asked.has('--json')) console.log(JSON.stringify(found, null, 2))
  else if (asked.has('--sarif')) console.log(sarif(found))
  else {
    // A plain run, as before a commit, is about what stops; the lint shows what may be better.
    for (const finding of today === undefined ? errors : found) console.log(print(finding))
    const milliseconds = Math.round(performance.now() - began)
    const warnings = found.length - errors.length
    const mended = seen.length - found.length
    const also = `${warnings} warnings${mended > 0 ? `, ${mended} mended` : ''}`
    const excused = await countExcused(root)
    console.log(
      `content: ${errors.length} to mend, ${also}, ${excused} excused, read in ${milliseconds} ms`,
    )
  }
  process.exit(errors.length > 0 ? 1 : 0)
}
