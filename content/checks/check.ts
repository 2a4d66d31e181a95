// `npm run check -- content` reports each content error with its line and its fix. `--fix` makes
// the mechanical fixes, `--external` requests other sites' pages, and `--json` and `--sarif` are
// for programs.
import { join } from 'node:path'
import type { z } from 'astro/zod'
import { checkBody } from './body.ts'
import { checkChangelog } from '../changelog.ts'
import { checkBrand } from './brand.ts'
import { checkSchema } from './schema-errors.ts'
import { type Finding, fixAll, oncePerValue, print, sarif } from '../finding.ts'
import { checkFormer, type FormerPage, pagesOfBuild, pagesOfHistory } from './former-pages.ts'
import { checkReference, checkSlug, checkUnique } from './frontmatter.ts'
import { checkOwners, writeOwners } from './owners.ts'
import { addresses, checkLinks } from './links.ts'
import { type Contract, checkNames, readContract, referenceOf } from './contract.ts'
import { checkOutside, outsideOf } from './external-links.ts'
import { checkExcused } from './excused.ts'
import { allowedOn, checkProse } from './prose.ts'
import { checkHistory, type Committed, committedDays } from './history.ts'
import { checkReading } from './readability.ts'
import { checkMedications } from './medications.ts'
import { checkNumbers } from './numbers.ts'
import { checkMedia, pictureSizes, type Sizes } from './pictures.ts'
import { checkQuestions } from './questions.ts'
import { checkGone, checkRedirects } from './redirects.ts'
import {
  checkCalendar,
  checkCited,
  checkDrafts,
  checkLinked,
  checkReview,
  checkRules,
} from './review.ts'
import { checkRunning } from './guide-code.ts'
import { checkSpelling } from './spelling.ts'
import type { Entry } from '../entry.ts'
import { rulesOf } from '../fact-age.ts'
import { type Content, type Folder, readContent, type Single, singles } from '../read.ts'
import { schemas } from '../schemas.ts'

/** Every error that an editor has to fix, by file and line. `root` is the repository. */
export async function check(root: string): Promise<Finding[]> {
  return (await inspect(root)).filter(({ level }) => level !== 'warning')
}

type CheckOptions = {
  /** With a day, dates are also checked against the calendar and the git history. */
  today?: string | undefined
  /** The live build's folder. Reports its pages that are missing from this content. */
  published?: string | undefined
}

/** Returns errors and warnings. */
export async function inspect(root: string, options: CheckOptions = {}): Promise<Finding[]> {
  return (await inspectAll(root, options)).found
}

type Inspected = {
  found: Finding[]
  /** The number of places where a `lint-ok` comment disables a rule. */
  excused: number
}

async function inspectAll(root: string, options: CheckOptions): Promise<Inspected> {
  const { today } = options
  const [content, contract, committed, former, sizes, ...others] = await Promise.all([
    readContent(join(root, 'content')),
    readContract(),
    today === undefined ? new Map<string, Committed>() : committedDays(root),
    formerPages(root, options),
    pictureSizes(root),
    checkBrand(root, 'content'),
    checkBrand(root, 'site'),
    checkMedia(root),
  ])
  const all = addresses(content, referenceOf(contract))
  const removed = await checkFormer(former, content, all)
  const owners = await checkOwners(root, content)
  const found = [
    ...checkContent(content, contract, { today, committed, sizes }),
    ...removed,
    ...owners,
    ...others.flat(),
  ]
  const entries = [...new Set(Object.values(content).flat())]
  const excused = entries.reduce((sum, entry) => sum + allowedOn(entry).size, 0)
  return { found: inOrder(found), excused }
}

async function formerPages(
  root: string,
  { today, published }: CheckOptions,
): Promise<FormerPage[]> {
  if (published !== undefined) return pagesOfBuild(published)
  return today === undefined ? [] : pagesOfHistory(root)
}

const inOrder = (found: Finding[]) =>
  found.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column)

/** The context that the checks use in addition to the texts. */
type CheckContext = {
  today: string | undefined
  committed: ReadonlyMap<string, Committed>
  sizes?: Sizes
}

/** Checks the texts; each error is reported once. */
export function checkContent(
  content: Content,
  contract: Contract,
  { today, committed, sizes = new Map() }: CheckContext,
): Finding[] {
  const known = addresses(content, referenceOf(contract))
  const { articles, comparisons, docs, pages } = content
  const named = [...articles, ...comparisons, ...docs]
  const listed = [content.home, ...pages, ...named]
  const alone = singles.map(name => content[name])
  const rules = rulesOf(content.rules)
  const written = [...new Set([...listed, ...content.legal, ...content.skills, ...alone])]
  const excused = new Map(written.map(entry => [entry.path, allowedOn(entry)]))
  const found = [
    ...checkExcused(excused),
    ...written.flatMap(entry => checkSchema(entry, schemaOf(entry))),
    ...named.flatMap(checkSlug),
    ...articles.flatMap(entry => checkArticle(entry, content)),
    ...content.legal.flatMap(entry => checkReference(entry, 'reviewed_by', keys(content.people))),
    ...checkChangelog(content.changelog),
    ...checkUnique(listed, 'title'),
    ...checkUnique(listed, 'description'),
    ...checkUnique(content.docs, 'nav'),
    ...checkRedirects([...named, ...pages], content),
    ...checkGone(content, known),
    ...[...articles, ...comparisons].flatMap(entry =>
      checkReference(entry, 'rules', keys(content.rules)),
    ),
    ...checkRules(content, today),
    ...[...articles, ...comparisons].flatMap(entry => checkCited(entry, rules)),
    ...named.flatMap(entry => checkLinked(entry, rules)),
    ...named.flatMap(checkDrafts),
    ...(today === undefined ? [] : listed.flatMap(entry => checkCalendar(entry, today, rules))),
    ...written.flatMap(entry => checkBody(entry, sizes)),
    ...written.flatMap(checkProse),
    ...written.flatMap(checkSpelling),
    ...written.flatMap(checkMedications),
    // Skips the changelog, because its numbers describe the past.
    ...written.filter(entry => entry !== content.changelog).flatMap(checkNumbers),
    ...named.flatMap(checkReading),
    ...[...named, ...pages].flatMap(checkQuestions),
    ...docs.flatMap(checkRunning),
    ...listed.flatMap(entry => checkHistory(entry, committed)),
    ...written.flatMap(entry => checkNames(entry, contract)),
    ...written.flatMap(entry => checkLinks(entry, known)),
  ]
  return oncePerValue(
    found.filter(({ path, line, rule }) => !excused.get(path)?.get(line)?.has(rule)),
  )
}

/** Finds a file's schema by folder, or by name for a single file. */
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

/** Requests linked pages on other sites. Takes minutes, because each host gets one request at a
 *  time. */
async function checkExternal(root: string): Promise<Finding[]> {
  const outside = outsideOf(await readContent(join(root, 'content')))
  console.error(`content: requesting ${outside.size} external pages`)
  return checkOutside(outside)
}

/** A heading can be too deep and end with a period, and each round fixes one of these errors. */
const fixRoundsMax = 3

/** The value in `--name=value`. */
const option = (name: string) =>
  process.argv.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3)

if (import.meta.main) {
  const began = performance.now()
  const root = join(import.meta.dir, '../..')
  const flags = new Set(process.argv.slice(2))
  const [today, published] = [option('today'), option('published')]
  const run = () => inspectAll(root, { today, published })
  const outside = flags.has('--external') ? await checkExternal(root) : []
  if (flags.has('--fix')) {
    await writeOwners(root)
  }
  let { found, excused } = await run()
  let fixed = 0
  // Checks again after each round, because a date in a fixed format can still be too early.
  for (let round = 0; flags.has('--fix') && round < fixRoundsMax; round++) {
    const count = await fixAll(root, found)
    if (count === 0) break
    fixed += count
    ;({ found, excused } = await run())
  }
  found = [...found, ...outside]
  const errors = found.filter(({ level }) => level !== 'warning')
  if (flags.has('--json')) console.log(JSON.stringify(found, null, 2))
  else if (flags.has('--sarif')) console.log(sarif(found))
  else {
    // Without a day, as before a commit, only errors are printed.
    for (const finding of today === undefined ? errors : found) console.log(print(finding))
    const milliseconds = Math.round(performance.now() - began)
    const warnings = found.length - errors.length
    const also = `${warnings} warnings${fixed > 0 ? `, ${fixed} fixed` : ''}`
    console.log(
      `content: ${errors.length} errors, ${also}, ${excused} rules disabled, read in ${milliseconds} ms`,
    )
  }
  process.exit(errors.length > 0 ? 1 : 0)
}
