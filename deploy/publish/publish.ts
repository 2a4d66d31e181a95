// Publishes the site of the checkout that contains this file: checks the content, builds into a new
// folder, requests every address that the build links to from a preview, and then switches the
// `current` link. If anything fails, the link stays as it was. README.md explains how to run it.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { currentBuild, lock, Publication, switchTo } from './builds.ts'
import { type Changes, changesBetween, describeChanges } from './changes.ts'
import { placesInContent } from './content-places.ts'
import { crawl, type Fault, type Preview } from './crawl.ts'
import { type Finding, reportOf } from './report.ts'

let root = path.dirname(path.dirname(import.meta.dir))
const previewSecondsMax = 60
const faultsShown = 20
const placesShown = 3

/** An error that an editor or an operator can fix. Only its message is printed. */
class PublishError extends Error {}

const usage = `Usage: node deploy/publish/publish.mjs --sites <folder> [--keep 5] [--back]
         [--against <build>] [--report <file>]
         [--repository <bare> --branch <name> --commit <id> [--checked]]

  --sites   the folder with the builds and the link "current" to the one being served
  --keep    how many builds to keep, including the current one
  --back    switch to the build before the current one, and publish nothing
  --against the build to compare with; the default is the current one
  --report  where to write a Markdown report for the reviewer
  --repository, --branch, --commit
            set by a hook, so a push superseded by a newer one isn't built
  --checked the content was checked before the push was accepted`

type Options = {
  sites: string
  keep: number
  back: boolean
  against: string | undefined
  report: string | undefined
  isChecked: boolean
  push: { repository: string; branch: string; commit: string } | undefined
}

function readOptions(): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: {
      sites: text,
      keep: { ...text, default: '5' },
      back: { type: 'boolean', default: false },
      against: text,
      report: text,
      repository: text,
      branch: text,
      commit: text,
      checked: { type: 'boolean', default: false },
    },
  })
  const { sites, against, report, repository, branch, commit } = values
  const keep = Number(values.keep)
  if (sites === undefined || !Number.isInteger(keep) || keep < 1) throw new PublishError(usage)
  const isPush = repository !== undefined && branch !== undefined && commit !== undefined
  const push = isPush ? { repository, branch, commit } : undefined
  const { back, checked: isChecked } = values
  return { sites: path.resolve(sites), keep, back, against, report, isChecked, push }
}

/** Returns the changes, if there is a build to compare with. */
async function publish(
  publication: Publication,
  { keep, against, isChecked, push }: Options,
): Promise<Changes | undefined> {
  const { sites, log } = publication
  if (push !== undefined && (await tipOf(push)) !== push.commit) {
    log(`superseded: a newer push to ${push.branch} will publish`)
    return undefined
  }
  if (push !== undefined) await moveCheckout(sites)
  const old = await currentBuild(sites)
  const before = against ?? (old && path.join(sites, old))
  const name = publication.nameFor(push?.commit)
  const fresh = path.join(sites, `.new-${name}`)
  await publication.removeUnfinished()
  try {
    if (!isChecked) await publication.stage('content checked', () => checkContent(before))
    await publication.stage('site built', () => build(fresh, before ?? path.join(sites, name)))
    await publication.stage('links checked', () => checkLinks(fresh))
    await rename(fresh, path.join(sites, name))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  await switchTo(sites, name)
  log(`live: ${name}${old === undefined ? '' : `, after ${old}`}`)
  const changes = before && (await changesBetween(before, path.join(sites, name)))
  for (const line of changes ? describeChanges(changes) : []) log(line)
  await publication.prune(keep)
  return changes || undefined
}

/**
 * Moves the checkout to a fixed path, because Astro's page cache is only valid at one path. The
 * move saves 3 of 8 seconds of CPU time with 16 articles, and 4 of 16 with 1,000.
 */
async function moveCheckout(sites: string): Promise<void> {
  const fixed = path.join(path.dirname(root), `site-${Bun.hash(sites).toString(36)}`)
  const [old, fresh] = [fixed, root].map(each => path.join(each, 'site', '.astro')) as [
    string,
    string,
  ]
  if (existsSync(old)) await rename(old, fresh)
  await rm(fixed, { recursive: true, force: true })
  await rename(root, fixed)
  root = fixed
}

/** Today's date, in frontmatter's format. */
const today = () => new Date().toLocaleDateString('sv-SE')

/** The linter's findings, including warnings, which appear only in a reviewer's report. */
async function lint(): Promise<Finding[]> {
  const command = [process.execPath, 'content/checks/check.ts', `--today=${today()}`, '--json']
  const child = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  const out = await new Response(child.stdout).text()
  await child.exited
  return JSON.parse(out)
}

async function tipOf({ repository, branch }: { repository: string; branch: string }) {
  const ref = `refs/heads/${branch}`
  const { out } = await run(['git', '--git-dir', repository, 'rev-parse', ref], 'Reading the tip')
  return out.trim()
}

/** Checks against the live build, so no page is renamed without a redirect from its old address. */
async function checkContent(live: string | undefined): Promise<void> {
  const against = live === undefined ? [] : [`--published=${live}`]
  await run([process.execPath, 'content/checks/check.ts', ...against], 'The content has errors')
  const spelling = path.join('node_modules', 'cspell', 'bin.mjs')
  const quiet = ['--no-progress', '--no-summary']
  const words = ['--config=tidy/cspell.json', ...quiet, 'content/**/*.{md,yaml}']
  if (existsSync(path.join(root, spelling))) {
    const command = [process.execPath, '--bun', spelling, ...words]
    await run(command, "A word isn't in the dictionary: correct it, or add it to content/words.txt")
  }
}

/** Builds the site. Returns how well `/ask` answers the questions that pages promise to answer. */
async function build(into: string, before: string): Promise<string | undefined> {
  const words = [into, before, '--checked', `--today=${today()}`]
  const command = [process.execPath, '--bun', 'site/build/build.ts', ...words]
  const { out } = await run(command, "The site couldn't be built")
  return /^site: (\/ask answers .*)$/m.exec(out)?.[1]
}

async function run(command: string[], failure: string): Promise<{ out: string }> {
  const child = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new PublishError(`${failure}:\n${`${out}${error}`.trim()}`)
  return { out }
}

async function checkLinks(folder: string): Promise<string> {
  const child = Bun.spawn([process.execPath, 'gateway/commands/preview.ts', folder], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const timer = setTimeout(() => child.kill(), previewSecondsMax * 1000)
  try {
    const opened = await firstLine(child.stdout)
    clearTimeout(timer)
    if (opened === undefined) {
      const error = (await new Response(child.stderr).text()).trim()
      const reason = error === '' ? `It wasn't ready after ${previewSecondsMax} s.` : error
      throw new PublishError(`The build couldn't be served:\n${reason}`)
    }
    const preview: Preview = JSON.parse(opened)
    const { requested, external, faults } = await crawl(folder, preview)
    if (faults.length > 0) throw new PublishError(await describeFaults(faults, preview.site))
    return `${requested} site URLs respond, ${external} external ones are well-formed`
  } finally {
    clearTimeout(timer)
    child.kill()
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
  }
  return undefined
}

async function describeFaults(faults: readonly Fault[], site: string): Promise<string> {
  const described = faults.slice(0, faultsShown).map(async fault => {
    const { address, reason, places } = fault
    const written = await placesInContent(root, site, address)
    const shown = written.length > 0 ? written : places
    const more = shown.length > placesShown ? ` and ${shown.length - placesShown} more` : ''
    const where = shown.slice(0, placesShown).join(', ')
    return `${where}${more}  ${address} ${reason}`
  })
  const lines = await Promise.all(described)
  const rest = faults.length - lines.length
  const end = rest > 0 ? [`and ${rest} more`] : []
  return ["The build links to URLs that don't respond:", ...lines, ...end].join('\n')
}

async function main(): Promise<number> {
  const options = readOptions()
  await mkdir(options.sites, { recursive: true })
  const publication = new Publication(options.sites)
  const turn = await lock(publication)
  let changes: Changes | undefined
  try {
    if (options.back) await publication.rollBack()
    else changes = await publish(publication, options)
    return 0
  } catch (error) {
    const reason = error instanceof PublishError ? error.message : String(error)
    for (const line of reason.split('\n')) publication.log(line)
    const old = await currentBuild(options.sites)
    publication.log(`FAILED; ${old === undefined ? 'nothing is live' : `${old} stays live`}`)
    return 1
  } finally {
    turn.release()
    if (options.report !== undefined)
      await Bun.write(options.report, reportOf(publication.lines, await lint(), changes))
  }
}

// A pusher who disconnects must not stop the publication.
process.stdout.on('error', () => {})
try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof PublishError ? error.message : error)
  process.exitCode = 2
}
