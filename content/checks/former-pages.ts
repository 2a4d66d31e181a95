import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { basePaths } from '../paths.ts'
import { isReference } from '../reference.ts'
import { type Entry, parseMarkdown, valueOf } from '../entry.ts'
import type { Content } from '../read.ts'
import type { Edit, Finding } from '../finding.ts'
import { at, keyAt } from './frontmatter.ts'
import { type Addresses, pathOf } from './links.ts'
import { goneAddresses, goneOf } from './redirects.ts'

/** A previously published page. Its text and former URLs are read only when needed. */
export type FormerPage = {
  address: string
  text: () => Promise<string>
  /** The URLs that redirected to the page. */
  former: () => Promise<string[]>
}

const bases = Object.entries(basePaths)

/**
 * A build's pages, such as the live build's, without the reference pages, which are generated from
 * the contract.
 */
export async function pagesOfBuild(folder: string): Promise<FormerPage[]> {
  const { storedFields }: { storedFields: Record<string, { url: string }> } = await Bun.file(
    join(folder, 'catalog/search.json'),
  ).json()
  const redirects = Bun.file(join(folder, '_redirects'))
  const lines = (await redirects.exists()) ? (await redirects.text()).split('\n') : []
  const moves = lines.map(line => line.split(' '))
  const isOurs = (url: string) => bases.some(([, base]) => url.startsWith(`${base}/`))
  return Object.values(storedFields)
    .map(({ url }) => url)
    .filter(url => isOurs(url) && !isReference(url))
    .map(url => ({
      address: url,
      text: () => Bun.file(join(folder, `${url}.md`)).text(),
      former: async () => moves.flatMap(([from = '', to]) => (to === url ? [from] : [])),
    }))
}

async function git(root: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn(['git', ...words], { cwd: root, stdout: 'pipe', stderr: 'ignore' })
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  return code === 0 ? text : ''
}

/**
 * The published branch's current and former pages. Pages added and renamed on another branch were
 * never published.
 */
export async function pagesOfHistory(root: string): Promise<FormerPage[]> {
  const refs = await git(root, 'for-each-ref', '--format=%(refname:short)', 'refs')
  const branch = ['origin/main', 'main'].find(name => refs.split('\n').includes(name)) ?? 'HEAD'
  const folders = bases.map(([name]) => `content/${name}`)
  const changes = ['--format=%x00%H', '--name-status', '--no-renames', '--diff-filter=AD']
  const log = await git(root, 'log', ...changes, branch, '--', ...folders)
  const last = new Map<string, string>()
  for (const commit of log.split('\0').slice(1)) {
    const [id = '', ...lines] = commit.split('\n').filter(Boolean)
    for (const [kind, path = ''] of lines.map(line => line.split('\t'))) {
      if (!last.has(path)) last.set(path, kind === 'D' ? `${id}^` : branch)
    }
  }
  return [...last].flatMap(([path, where]) => {
    const address = pathOf(parseMarkdown(path, ''))
    const isThere = existsSync(join(root, path)) || !path.endsWith('.md')
    if (address === undefined || isThere) return []
    const text = () => git(root, 'show', `${where}:${path}`)
    const former = async () => formerIn(parseMarkdown(path, await text()))
    return [{ address, text, former }]
  })
}

function formerIn(entry: Entry): string[] {
  const former = valueOf(entry, 'redirect_from')
  return Array.isArray(former) ? former.map(String) : []
}

/** Reports former URLs without a redirect or a record in gone.yaml. */
export async function checkFormer(
  former: readonly FormerPage[],
  content: Content,
  { known, drafts, moved }: Addresses,
): Promise<Finding[]> {
  const answering = new Set([...known.keys(), ...moved.keys(), ...goneAddresses(content)])
  const silent = await silentAddresses(former, content, answering)
  const led = new Set(silent.map(({ address }) => address))
  const lost = former.filter(({ address }) => !answering.has(address) && !led.has(address))
  const before = new Set(former.map(({ address }) => address))
  const pages = [...content.articles, ...content.comparisons, ...content.docs]
  const fresh = pages.filter(entry => !before.has(pathOf(entry) ?? ''))
  const found = lost.map(async ({ address, text }) => {
    const old = parseMarkdown('', await text())
    if (valueOf(old, 'draft') === true) return []
    const now = fresh.find(entry => isSame(old, entry))
    if (now !== undefined && !drafts.has(address)) return [renamed(now, address)]
    const waiting = pages.find(entry => pathOf(entry) === address)
    return [lostPage(address, waiting ?? content.gone)]
  })
  return [...silent.map(({ finding }) => finding), ...(await Promise.all(found)).flat()]
}

/** Reports the former URLs of a page in gone.yaml that its record doesn't include. */
async function silentAddresses(
  former: readonly FormerPage[],
  content: Content,
  answering: ReadonlySet<string>,
): Promise<{ address: string; finding: Finding }[]> {
  const records = new Map(goneOf(content).map(({ path }, index) => [path, index]))
  const found = former.map(async page => {
    const index = records.get(page.address)
    if (index === undefined) return []
    const before = (await page.former()).filter(address => !answering.has(address))
    return before.map(address => ({
      address,
      finding: silentAddress(content.gone, index, { address, all: before, page: page.address }),
    }))
  })
  return (await Promise.all(found)).flat()
}

type Silent = { address: string; all: readonly string[]; page: string }

function silentAddress(gone: Entry, index: number, { address, all, page }: Silent): Finding {
  const where = keyAt(gone, [index], 'path')
  const has = gone.yaml.getIn([index, 'redirect_from']) !== undefined
  const line = `redirect_from: [${all.join(', ')}]`
  const text = `${' '.repeat(where.column - 1)}${line}\n`
  // One edit writes all of the URLs.
  const isFirst = address === all[0] && !has
  return {
    path: gone.path,
    ...where,
    rule: 'F-gone',
    message: `${address} led to ${page} and must still redirect there`,
    fix: has ? `add ${address} to redirect_from` : `add ${line}`,
    edit: isFirst ? { line: where.line + 1, column: 1, length: 0, text } : undefined,
  }
}

/** Two pages are the same if they share this fraction of their lines, or the title. */
const sharedMin = 0.5

function isSame(old: Entry, now: Entry): boolean {
  const title = valueOf(old, 'title')
  if (typeof title === 'string' && title === valueOf(now, 'title')) return true
  const lines = (text: string) => new Set(text.split('\n').filter(line => line.length > 20))
  const [before, after] = [lines(old.body), lines(now.body)]
  const kept = [...before].filter(line => after.has(line)).length
  return kept > 0 && kept >= sharedMin * Math.min(before.size, after.size)
}

function renamed(entry: Entry, address: string): Finding {
  const where = at(entry, ['slug'])
  const has = valueOf(entry, 'redirect_from') !== undefined
  const line = `redirect_from: [${address}]`
  const edit: Edit = { line: where.line + 1, column: 1, length: 0, text: `${line}\n` }
  return {
    path: entry.path,
    ...where,
    rule: 'F-renamed',
    message: `the old URL ${address} must redirect to this page`,
    fix: has ? `add ${address} to redirect_from` : `add ${line}`,
    edit: has ? undefined : edit,
  }
}

/** A warning rather than an error, because a revert also removes a page. */
const lostPage = (address: string, { path }: Entry): Finding => ({
  path,
  line: 1,
  column: 1,
  rule: 'F-gone',
  message: `${address} was published and must not return 404`,
  fix: 'add an entry to content/gone.yaml, or redirect_from on the page that replaces it',
  level: 'warning',
})
