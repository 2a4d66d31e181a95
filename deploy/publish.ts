// Publishes the site of the checkout that this file lies in: checks the content, builds into a new
// folder, asks a preview of it for every address that it mentions, and only then switches the link
// `current`. Whatever fails, the link stays where it was. The runbook is README.md beside this.
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { changesBetween, type Changes, describeChanges } from './changed.ts'
import { crawl, type Fault, type Preview } from './crawl.ts'
import { type Found, reportOf } from './report.ts'
import { currentBuild, Publication, switchTo, takeTurn } from './sites.ts'
import { placesInContent } from './written.ts'

const root = path.dirname(import.meta.dir)
const previewSecondsMax = 20
const faultsShown = 20
const placesShown = 3

/** What an editor or an operator can do something about: its message alone is printed. */
class Refused extends Error {}

const usage = `Usage: node deploy/publish.mjs --sites <folder> [--keep 5] [--back] [--against <build>]
         [--report <file>]
         [--repository <bare> --branch <name> --commit <id>]

  --sites   where the builds lie, and the link "current" to the one that is served
  --keep    how many builds to keep, the current one included
  --back    publish nothing: switch to the build before the current one
  --against the build with which this one is compared; without it the current one
  --report  where to write, in markdown, what a reviewer should know of it
  --repository, --branch, --commit
            what a hook says, so that a push that was overtaken is left to the newer one`

type Options = {
  sites: string
  keep: number
  back: boolean
  against: string | undefined
  report: string | undefined
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
    },
  })
  const { sites, against, report, repository, branch, commit } = values
  const keep = Number(values.keep)
  if (sites === undefined || !Number.isInteger(keep) || keep < 1) throw new Refused(usage)
  const isPush = repository !== undefined && branch !== undefined && commit !== undefined
  const push = isPush ? { repository, branch, commit } : undefined
  return { sites: path.resolve(sites), keep, back: values.back, against, report, push }
}

/** Answers with what it changed, where there is a build to compare with. */
async function publish(
  publication: Publication,
  { keep, against, push }: Options,
): Promise<Changes | undefined> {
  const { sites, say } = publication
  if (push !== undefined && (await tipOf(push)) !== push.commit) {
    say(`overtaken: ${push.branch} has moved on, and that push publishes itself`)
    return undefined
  }
  const old = await currentBuild(sites)
  const before = against ?? (old && path.join(sites, old))
  const name = publication.nameFor(push?.commit)
  const fresh = path.join(sites, `.new-${name}`)
  await publication.sweep()
  try {
    await publication.stage('content checked', () => checkContent(before))
    await publication.stage('site built', () => build(fresh, before ?? path.join(sites, name)))
    await publication.stage('every address asked', () => askEverything(fresh))
    await rename(fresh, path.join(sites, name))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  await switchTo(sites, name)
  say(`live: ${name}${old === undefined ? '' : `, after ${old}`}`)
  const changes = before && (await changesBetween(before, path.join(sites, name)))
  for (const line of changes ? describeChanges(changes) : []) say(line)
  await publication.prune(keep)
  return changes || undefined
}

/** What the check of the content has to say besides what stops a publication. */
async function found(): Promise<Found[]> {
  const today = new Date().toISOString().slice(0, 10)
  const command = [process.execPath, 'content/checks/check.ts', `--today=${today}`, '--json']
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

/** Against the build that is live, so that no page is renamed without its old address. */
async function checkContent(live: string | undefined): Promise<void> {
  const against = live === undefined ? [] : [`--published=${live}`]
  await run([process.execPath, 'content/checks/check.ts', ...against], 'The content has faults')
}

/** Answers with how well `/ask` finds what the pages promise, which an article can change. */
async function build(into: string, before: string): Promise<string | undefined> {
  const command = [process.execPath, '--bun', 'site/build.ts', into, before]
  const { out } = await run(command, 'The site could not be built')
  return /^site: (\/ask judged .*)$/m.exec(out)?.[1]
}

async function run(command: string[], fault: string): Promise<{ out: string }> {
  const child = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Refused(`${fault}:\n${`${out}${error}`.trim()}`)
  return { out }
}

async function askEverything(folder: string): Promise<string> {
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
      const error = await new Response(child.stderr).text()
      throw new Refused(`The build could not be served:\n${error.trim()}`)
    }
    const preview: Preview = JSON.parse(opened)
    const { asked, elsewhere, faults } = await crawl(folder, preview)
    if (faults.length > 0) throw new Refused(await describeFaults(faults, preview.site))
    return `${asked} here answer, ${elsewhere} elsewhere are well-formed`
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
  return ['The build mentions what does not answer:', ...lines, ...end].join('\n')
}

async function main(): Promise<number> {
  const options = readOptions()
  await mkdir(options.sites, { recursive: true })
  const publication = new Publication(options.sites)
  const turn = await takeTurn(publication)
  let changes: Changes | undefined
  try {
    if (options.back) await publication.back()
    else changes = await publish(publication, options)
    return 0
  } catch (error) {
    const reason = error instanceof Refused ? error.message : String(error)
    for (const line of reason.split('\n')) publication.say(line)
    const old = await currentBuild(options.sites)
    publication.say(`FAILED; ${old === undefined ? 'nothing is live' : `${old} stays live`}`)
    return 1
  } finally {
    turn.release()
    if (options.report !== undefined)
      await Bun.write(options.report, reportOf(publication.said, await found(), changes))
  }
}

// A pusher who leaves must not end what was begun.
process.stdout.on('error', () => {})
try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Refused ? error.message : error)
  process.exitCode = 2
}
