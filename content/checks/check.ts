import { join } from 'node:path'
import type { z } from 'astro/zod'
import { checkBody } from './body.ts'
import { checkChangelog } from '../changelog.ts'
import { checkBrand } from './brand.ts'
import { checkSchema } from './schema-errors.ts'
import { type Finding, oncePerValue, print } from './finding.ts'
import { checkFormer, type Former, pagesOfBuild, pagesOfHistory } from './former-pages.ts'
import { checkReference, checkSlug, checkUnique } from './frontmatter.ts'
import { checkOwners } from './owners.ts'
import { addresses, checkLinks } from './links.ts'
import { type Contract, checkNames, readContract, referenceOf } from './contract.ts'
import { checkOutside, outsideOf } from './external-links.ts'
import { checkExcused } from './excused.ts'
import { allowedOn, checkProse } from './prose.ts'
import { checkMedia, checkUpdated, committedDays } from './history.ts'
import { checkReading } from './readability.ts'
import { checkMedications } from './medications.ts'
import { pictureSizes, type Sizes } from './pictures.ts'
import { checkQuestions } from './questions.ts'
import { checkGone, checkRedirects } from './redirects.ts'
import { checkCalendar, checkReview } from './review.ts'
import { checkRunning } from './guide-code.ts'
import { checkSpelling } from './spelling.ts'
import { fixAll } from './fix.ts'
import { writeOwners } from '../new.ts'
import {
  type Content,
  type Entry,
  type Folder,
  readContent,
  type Single,
  singles,
} from '../read.ts'
import { sarif } from './sarif.ts'
import { schemas } from '../schemas.ts'

/** Everything an editor has to mend, in the order of files and lines. `root` is the repository. */
export async function check(root: string): Promise<Finding[]> {
  return (await inspect(root)).filter(({ level }) => level !== 'warning')
}

export type Asked = {
  /** A day: then what a calendar and the history find is said as well. */
  today?: string | undefined
  /** The folder of the build that is live: what it has and this has not is said. */
  published?: string | undefined
}

/** The same with what is only worth a thought. */
export async function inspect(root: string, asked: Asked = {}): Promise<Finding[]> {
  return (await inspectAll(root, asked)).found
}

type Inspected = {
  found: Finding[]
  /** At how many places an editor has said why a rule does not hold. */
  excused: number
}

async function inspectAll(root: string, asked: Asked): Promise<Inspected> {
  const { today } = asked
  const [content, contract, committed, former, sizes, ...others] = await Promise.all([
    readContent(join(root, 'content')),
    readContract(),
    today === undefined ? new Map<string, string>() : committedDays(root),
    formerPages(root, asked),
    pictureSizes(root),
    checkBrand(root, 'content'),
    checkBrand(root, 'site'),
    checkMedia(root),
  ])
  const all = addresses(content, referenceOf(contract))
  const lost = await checkFormer(former, content, all)
  const owners = await checkOwners(root, content)
  const found = [
    ...checkContent(content, contract, { today, committed, sizes }),
    ...lost,
    ...owners,
    ...others.flat(),
  ]
  const entries = [...new Set(Object.values(content).flat())]
  const excused = entries.reduce((sum, entry) => sum + allowedOn(entry).size, 0)
  return { found: inOrder(found), excused }
}

async function formerPages(root: string, { today, published }: Asked): Promise<Former[]> {
  if (published !== undefined) return pagesOfBuild(published)
  return today === undefined ? [] : pagesOfHistory(root)
}

const inOrder = (found: Finding[]) =>
  found.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column)

/** What the texts do not say themselves. */
type Around = {
  today: string | undefined
  committed: ReadonlyMap<string, string>
  sizes?: Sizes
}

/** What the texts themselves hold, each fault once. */
export function checkContent(
  content: Content,
  contract: Contract,
  { today, committed, sizes = new Map() }: Around,
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
    ...checkGone(content, known),
    ...(today === undefined ? [] : listed.flatMap(entry => checkCalendar(entry, today))),
    ...written.flatMap(entry => checkBody(entry, sizes)),
    ...written.flatMap(checkProse),
    ...written.flatMap(checkSpelling),
    ...written.flatMap(checkMedications),
    ...named.flatMap(checkReading),
    ...[...named, ...pages].flatMap(checkQuestions),
    ...docs.flatMap(checkRunning),
    ...listed.flatMap(entry => checkUpdated(entry, committed)),
    ...written.flatMap(entry => checkNames(entry, contract)),
    ...written.flatMap(entry => checkLinks(entry, known)),
  ]
  return oncePerValue(
    found.filter(({ path, line, rule }) => !excused.get(path)?.get(line)?.has(rule)),
  )
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

/** Pages of others, which may take minutes: each host is asked one thing at a time. */
async function lookOutside(root: string): Promise<Finding[]> {
  const outside = outsideOf(await readContent(join(root, 'content')))
  console.error(`content: asking for ${outside.size} pages elsewhere`)
  return checkOutside(outside)
}

/** A heading can be too deep and end with a stop; nothing of ours takes three rounds. */
const fixRoundsMax = 3

/** The value of `--name=value`. */
const option = (name: string) =>
  process.argv.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3)

if (import.meta.main) {
  const began = performance.now()
  const root = join(import.meta.dir, '../..')
  const asked = new Set(process.argv.slice(2))
  const [today, published] = [option('today'), option('published')]
  const look = () => inspectAll(root, { today, published })
  const outside = asked.has('--external') ? await lookOutside(root) : []
  if (asked.has('--fix')) {
    await writeOwners(root)
  }
  let { found, excused } = await look()
  let mended = 0
  // What was mended is looked at again: a day that can be read can also be too early.
  for (let round = 0; asked.has('--fix') && round < fixRoundsMax; round++) {
    const typed = await fixAll(root, found)
    if (typed === 0) break
    mended += typed
    ;({ found, excused } = await look())
  }
  found = [...found, ...outside]
  const errors = found.filter(({ level }) => level !== 'warning')
  if (asked.has('--json')) console.log(JSON.stringify(found, null, 2))
  else if (asked.has('--sarif')) console.log(sarif(found))
  else {
    // A plain run, as before a commit, is about what stops; the lint shows what may be better.
    for (const finding of today === undefined ? errors : found) console.log(print(finding))
    const milliseconds = Math.round(performance.now() - began)
    const warnings = found.length - errors.length
    const also = `${warnings} warnings${mended > 0 ? `, ${mended} mended` : ''}`
    console.log(
      `content: ${errors.length} to mend, ${also}, ${excused} excused, read in ${milliseconds} ms`,
    )
  }
  process.exit(errors.length > 0 ? 1 : 0)
}
