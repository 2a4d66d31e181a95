// Runs a guide as its reader would: each shell block in order, in one shell, then compares the
// response with the one shown. A `ts` or `python` block is a file named in its first line.
import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { dataDir, type Newcomer, newcomer, root, type Shell, shellOf } from '../servers.ts'

export type CodeBlock = { language: string; text: string }
export type Step = { line: number; sh: string; shown: CodeBlock | null }
export type Guide = { slug: string; head: string; body: string; steps: Step[]; files: CodeBlock[] }
type Request = { status: number; method: string; url: string }
export type StepResult = { step: Step; printed: string; requests: Request[] }

const docs = path.join(root, 'content', 'docs')

/** Guides whose requests a reader can run. */
export function guides(): Guide[] {
  return readdirSync(docs)
    .filter(name => name.endsWith('.md'))
    .map(readGuide)
    .filter(({ steps }) => steps.length > 0)
}

function readGuide(name: string): Guide {
  const source = readFileSync(path.join(docs, name), 'utf8')
  const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(source) ?? []
  const guide: Guide = { slug: path.basename(name, '.md'), head, body, steps: [], files: [] }
  let last: Step | null = null
  for (const found of source.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
    const [, language = '', text = ''] = found
    const line = source.slice(0, found.index).split('\n').length
    if (language === 'sh') {
      last = { line, sh: text, shown: null }
      // The server that a reader would start is already running.
      if (text !== 'npm start\n') guide.steps.push(last)
    } else if (language === 'ts' || language === 'python') {
      guide.files.push({ language: nameOf(text), text })
    } else if (last !== null) {
      if (last.shown !== null) throw new Error(`${name}:${line} a second response to one request`)
      last.shown = { language, text }
    }
  }
  return guide
}

/** The file name in a program's first line: `// poll.ts`, `# poll.py`. */
function nameOf(program: string): string {
  const name = /^(?:\/\/|#) ([\w-]+\.(?:ts|py))\n/.exec(program)?.[1]
  if (name === undefined) throw new Error(`the first line has no file name:\n${program}`)
  return name
}

// Separates the parts of the output.
const mark = '\u001e'

/** Guides that a newcomer follows in the checkout itself, in order. */
export const firstGuides = ['quickstart', 'webhooks', 'sandbox']

/** The folder in which a guide runs: the checkout, or a separate folder that contains `.data`. */
export function openPlace({ slug, files }: Guide): string {
  const who = newcomer()
  const isFirst = who !== undefined && firstGuides.includes(slug)
  const place = isFirst ? who.folder : path.join(who?.folder ?? root, '.data', 'guides', slug)
  if (!isFirst) {
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place, { recursive: true })
    symlinkSync(dataDir, path.join(place, '.data'))
  }
  // Each request records its status next to its output, whatever the guide does with the output.
  const writeOut = String.raw`write-out = "%{stderr}\n%{http_code} %{method} %{url_effective}\n"`
  const settings = path.join(who?.home ?? place, '.curlrc')
  // Replaces the file in one step, because another guide's curl could otherwise find it empty.
  writeFileSync(`${settings}.${process.pid}`, writeOut)
  renameSync(`${settings}.${process.pid}`, settings)
  const programs = files.map(({ language: name, text }) => {
    writeFileSync(path.join(place, name), text)
    return path.join(place, name)
  })
  if (who) for (const file of [place, ...programs]) chownSync(file, who.uid, who.gid)
  return place
}

/** A newcomer's shell if there is one; otherwise this process's, without its platform settings. */
export function openShell(own: Shell, who: Newcomer | undefined, place: string): Shell {
  const node = path.dirname(process.execPath)
  const PATH = `${node}${path.delimiter}${own['PATH'] ?? ''}`
  if (who) return { ...shellOf(who.home, own), CURL_HOME: who.home, PATH }
  return { ...own, CURL_HOME: place, DATA_DIR: dataDir, DATABASE_URL: '', KEY_PEPPER: '', PATH }
}

/** Runs the whole guide. */
export async function scenario(guide: Guide, place: string, own: Shell): Promise<StepResult[]> {
  const who = newcomer()
  const ended = `printf '${mark}'; printf '${mark}' >&2`
  // Servers started by a guide stop when it ends.
  const atEnd = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT`
  const script = ['set -eu', atEnd, ...guide.steps.flatMap(({ sh }) => [sh, ended])].join('\n')
  const shell = openShell(own, who, place)
  const { stdout, stderr, status } = await typed(script, place, shell, who)
  const printed = stdout.split(mark)
  const noted = stderr.split(mark)
  const reached = guide.steps[printed.length - 1]
  if (status !== 0 || reached !== undefined) {
    const at = `content/docs/${guide.slug}.md:${reached?.line ?? 0}`
    throw new Error(`${at} does not run\n${printed.at(-1) ?? ''}\n${noted.at(-1) ?? ''}`)
  }
  return guide.steps.map((step, index) => ({
    step,
    printed: printed[index] ?? '',
    requests: requestsIn(noted[index] ?? ''),
  }))
}

/** The sandbox's keys, signing secrets, tokens and signed URLs. */
const secret =
  /svc_\w+_test_\w{16}|svc_(?:cs|rt)_\w{16}|whsec_\w{32}|"(?:token|secret|upload_url)":|PRIVATE KEY/

/** Files left in the guide's folder with a secret in them. */
export function secretsIn(place: string): string[] {
  const left = readdirSync(place, { withFileTypes: true }).filter(file => file.isFile())
  return left
    .map(({ name }) => name)
    .filter(name => secret.test(readFileSync(path.join(place, name), 'utf8')))
}

/**
 * Runs asynchronously, because a blocked test would miss the server closing an idle connection and
 * would then write to it.
 */
export async function typed(script: string, cwd: string, env: Shell, who: Newcomer | undefined) {
  const account = who === undefined ? {} : { uid: who.uid, gid: who.gid }
  const child = spawn('bash', ['-c', script], { cwd, env, timeout: 400_000, ...account })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  child.stdin.end()
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ])
  return { stdout, stderr, status }
}

function requestsIn(noted: string): Request[] {
  return [...noted.matchAll(/^(\d{3}) ([A-Z]+) (http\S+)$/gm)].map(
    ([, status, method = '', url = '']) => ({ status: Number(status), method, url }),
  )
}

/** IDs printed in the guide, each with the ID that was returned. */
export type GuideIds = Map<string, string>

/** Every difference between a step's result and what the guide shows. */
export function differences({ step, printed, requests }: StepResult, known: GuideIds): string[] {
  const statuses = requests.map(({ status }) => status)
  const last = statuses.at(-1)
  const wanted = statusShown(step.shown)
  const wrong = statuses
    .slice(0, wanted === null ? undefined : -1)
    .filter(status => status >= 300)
    .map(status => `a request returned ${status}`)
  if (wanted !== null && wanted !== last) wrong.push(`returned ${last}, shown ${wanted}`)
  return [...wrong, ...(step.shown === null ? [] : compare(step.shown, printed, known))]
}

function statusShown(shown: CodeBlock | null): number | null {
  if (shown?.language === 'http') return Number(/^HTTP\/\S+ (\d{3})/.exec(shown.text)?.[1])
  if (shown?.language !== 'json') return null
  const body: unknown = JSON.parse(shown.text)
  if (typeof body !== 'object' || body === null || !('code' in body)) return null
  return 'status' in body && typeof body.status === 'number' ? body.status : null
}

function compare({ language, text }: CodeBlock, printed: string, known: GuideIds): string[] {
  if (language === 'json') return unlike(JSON.parse(text), JSON.parse(printed), '', known)
  if (language === 'text') return unlike(text.trim(), printed.trim(), '', known)
  const [head = '', body] = text.trim().split('\n\n')
  const [saidHead = '', saidBody = ''] = printed.replaceAll('\r', '').split('\n\n')
  const lines = saidHead.split('\n')
  const missing = head.split('\n').flatMap(line => {
    const name = /^[\w-]+:|^HTTP/.exec(line)?.[0].toLowerCase() ?? line
    const answered = lines.find(other => other.toLowerCase().startsWith(name))
    return unlike(steady(line), steady(answered ?? '(no such line)'), '', known)
  })
  if (body === undefined) return missing
  return [...missing, ...unlike(JSON.parse(body), JSON.parse(saidBody), '', known)]
}

/** A header with a lowercase name, and without values that count down. */
const steady = (line: string) =>
  line
    .replace(/^[\w-]+:/, name => name.toLowerCase())
    .replace(/r=\d+;t=\d+|(?<=-(remaining|reset): )\d+/, '…')

const moment = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g
const made =
  /\b(?:pat|cons|case|msg|rx|ord|vis|slot|chg|file|exp|evt|we|dlv|org|req|key|int|cli)_[0-9a-z]{26}\b/g

/** The guide may omit fields of an object, but not elements of a list. */
function unlike(shown: unknown, answered: unknown, at: string, known: GuideIds): string[] {
  if (typeof shown === 'string' && typeof answered === 'string') {
    return unlikeText(shown, answered, known) ? [`${at} shown ${shown}, returned ${answered}`] : []
  }
  if (
    typeof shown !== 'object' ||
    shown === null ||
    typeof answered !== 'object' ||
    answered === null
  ) {
    const same = shown === answered
    return same
      ? []
      : [`${at} shown ${JSON.stringify(shown)}, returned ${JSON.stringify(answered)}`]
  }
  if (Array.isArray(shown) && Array.isArray(answered) && shown.length !== answered.length) {
    return [`${at} shown ${shown.length} long, returned ${JSON.stringify(answered)}`]
  }
  return Object.entries(shown).flatMap(([key, value]) =>
    unlike(value, Reflect.get(answered, key), `${at}/${key}`, known),
  )
}

/** IDs differ between servers, but within a guide the same ID means the same resource. */
function unlikeText(shown: string, answered: string, known: GuideIds): boolean {
  const found = answered.match(made) ?? []
  const meant = (shown.match(made) ?? []).map((id, index) => {
    const expected = known.get(id) ?? found[index] ?? ''
    known.set(id, expected)
    return expected.split('_')[0] === id.split('_')[0] ? expected : id
  })
  const plain = (text: string) =>
    text.replace(moment, 'moment').replace(/http:\/\/localhost:\d+|\{api\}/g, 'api')
  return plain(shown.replace(made, () => meant.shift() ?? '')) !== plain(answered)
}
