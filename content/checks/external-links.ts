import config from '../site.config.ts'
import type { Entry } from '../entry.ts'
import type { Content } from '../read.ts'
import { type Finding, place } from '../finding.ts'
import { isData, linksOf } from './links.ts'

// Requests linked pages on other sites. The check runs nightly and by hand but never on a push,
// because an unavailable site must not block publishing.

type Place = Pick<Finding, 'path' | 'line' | 'column'>

type RequestLimits = {
  /** The delay between two requests to one host. */
  pauseMs: number
  /**
   * The delay before retrying a failed request. The delay grows each time, unless the host sets it.
   */
  retryMs: number
  timeoutMs: number
}

const defaultLimits: RequestLimits = { pauseMs: 500, retryMs: 2000, timeoutMs: 15_000 }
const tries = 3
const longestWaitMs = 30_000
const hostsAtOnce = 6
const agent = `${config.slug}-link-check (+${config.site}/agents.md)`

/** Matches reserved names, including our own, which aren't external. */
export const isOurs =
  /^https?:\/\/([\w-]+\.)*(example(\.(com|org|net))?|test|invalid|localhost)([:/]|$)/

/** Each external URL once, with every place that links to it. */
export function outsideOf(content: Content): Map<string, Place[]> {
  const found = new Map<string, Place[]>()
  for (const entry of new Set(Object.values(content).flat())) {
    for (const { href, ...where } of externalIn(entry)) {
      const url = href.replace(/#.*$/, '')
      if (!/^https?:/.test(url) || isOurs.test(url) || url.startsWith(config.site)) continue
      found.set(url, [...(found.get(url) ?? []), { path: entry.path, ...where }])
    }
  }
  return found
}

/** An entry's links: in its text and in its frontmatter's sources. */
function externalIn(entry: Entry): { href: string; line: number; column: number }[] {
  const sources = /^\s*(?:- )?(?:url|source|read_at): ['"]?(https?:[^\s'"]+)/gm
  const head = isData(entry) ? '' : entry.source.slice(0, -entry.body.length || undefined)
  return [
    ...linksOf(entry).map(({ href, line, column }) => ({ href, line, column })),
    ...[...head.matchAll(sources)].map(hit => {
      const href = hit[1] ?? ''
      return { href, ...place(head, hit.index + hit[0].indexOf(href), 1) }
    }),
  ]
}

/** Requests each URL and reports its error at each place that links to it. */
export async function checkOutside(
  outside: ReadonlyMap<string, readonly Place[]>,
  limits: RequestLimits = defaultLimits,
): Promise<Finding[]> {
  const hosts = [...Map.groupBy(outside.keys(), url => new URL(url).host).values()]
  const found: Finding[] = []
  const next = async (): Promise<void> => {
    for (let urls = hosts.pop(); urls !== undefined; urls = hosts.pop()) {
      for (const url of urls) {
        const fault = await faultOf(url, limits)
        if (fault !== undefined) {
          const places = outside.get(url) ?? []
          found.push(...places.map(where => ({ ...where, rule: 'K-outside', ...fault })))
        }
        await Bun.sleep(limits.pauseMs)
      }
    }
  }
  await Promise.all(Array.from({ length: hostsAtOnce }, next))
  return found
}

type Fault = Pick<Finding, 'message' | 'fix' | 'level'>
type Answer = { status: number; waitMs: number | undefined } | { reason: string }

/**
 * Reports a missing page as an error. A page that refuses programs may exist, so such a page is a
 * warning.
 */
async function faultOf(url: string, limits: RequestLimits): Promise<Fault | undefined> {
  let answer: Answer = { reason: '' }
  for (let time = 1; time <= tries; time++) {
    answer = await request(url, limits)
    if ('status' in answer && answer.status !== 429 && answer.status < 500) break
    const retryAfter = 'status' in answer ? answer.waitMs : undefined
    const wait = Math.min(retryAfter ?? limits.retryMs * time, longestWaitMs)
    if (time < tries) await Bun.sleep(wait)
  }
  const look = 'open it in a browser: fix the address if the page is missing'
  if ('reason' in answer) {
    return { message: `${url} couldn't be reached: ${answer.reason}`, fix: look, level: 'warning' }
  }
  const { status } = answer
  if (status < 400) return undefined
  const message = `${url} returns ${status}`
  return status === 404 || status === 410
    ? { message, fix: 'fix or remove the link' }
    : { message, fix: look, level: 'warning' }
}

/** Sends HEAD, which costs the other server least, and GET if HEAD fails. */
async function request(url: string, { timeoutMs }: RequestLimits): Promise<Answer> {
  try {
    const send = async (method: string) => {
      const answer = await fetch(url, {
        method,
        redirect: 'follow',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'user-agent': agent, accept: 'text/html, */*;q=0.5' },
      })
      await answer.body?.cancel()
      return answer
    }
    const head = await send('HEAD')
    const isSure = head.status < 400 || head.status === 429
    const { status, headers } = isSure ? head : await send('GET')
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    return { status, waitMs: Number.isFinite(seconds) ? seconds * 1000 : undefined }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}
