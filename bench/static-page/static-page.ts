// A 20 KB page, negotiated and served from memory, compared with nginx serving the same files.
import path from 'node:path'
import { siteLimits } from '#contract/limits.ts'
import { allAnswered, type Costs, costLine, meter } from '../harness/meter.ts'
import { httpLoad, httpLoadName, type HttpLoad } from '../harness/http-load.ts'
import { nginx, type ServedFile, startNginx } from './nginx.ts'
import { bareName, startBare } from '../harness/bare.ts'
import { type Load, requestText } from '../harness/load.ts'
import type { Options } from '../harness/options.ts'
import { interleave, type Proof, type Result, rowOf } from '../harness/rounds.ts'
import type { Target } from '../targets.ts'
import { type Server, startSiteGateway, withClosers, withFolder } from '../harness/server.ts'
import { writeSite } from '../harness/site.ts'
import { targetOf } from '../targets.ts'

type Form = {
  name: string
  file: string
  headers: Readonly<Record<string, string>>
  status: '200' | '304'
  target: Target | null
}

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** For the 304, each server receives its own ETag. */
const forms: readonly Form[] = [
  {
    name: '20 KB page',
    file: 'page.html',
    status: '200',
    target: targetOf('P8'),
    headers: { accept: browser, 'accept-encoding': 'identity' },
  },
  {
    name: '20 KB page in brotli',
    file: 'page.html.br',
    status: '200',
    target: targetOf('P8'),
    headers: { accept: browser, 'accept-encoding': 'gzip, deflate, br' },
  },
  {
    name: 'its Markdown version',
    file: 'page.md',
    status: '200',
    target: null,
    headers: { accept: 'text/markdown', 'accept-encoding': 'identity' },
  },
  {
    name: 'the page unchanged, 304',
    file: 'page.html',
    status: '304',
    target: targetOf('P8 unchanged'),
    headers: { accept: browser, 'accept-encoding': 'identity' },
  },
]

const ourPath = '/page'
const connections = 32

export async function staticPage(options: Options): Promise<Result> {
  return withFolder(async folder =>
    withClosers(async onClose => {
      const site = await writeSite(1)
      onClose(() => site.remove())
      // Pages aren't rate-limited, but their headers contain the limit that the gateway was loaded
      // with.
      const siteRequests = siteLimits.ratePerWindow
      const siteGateway = await startSiteGateway({ site: site.folder, siteRequests })
      onClose(() => siteGateway.stop())
      const peer = await openPeer(folder, site.folder, siteGateway)
      if (peer) onClose(() => peer.stop())
      const results: Result[] = []
      for (const [at, form] of forms.entries()) {
        results.push(
          await measure(options, form, siteGateway, peer && { server: peer, path: `/${at}` }),
        )
      }
      const left = peer ? [] : ['nginx is not installed, so it was left out']
      return {
        rows: results.flatMap(({ rows }) => rows),
        notes: [`static pages: load by ${httpLoadName(options)}`, ...left].concat(
          results.flatMap(({ notes }) => notes),
        ),
        proofs: results.flatMap(({ proofs }) => proofs),
      }
    }),
  )
}

async function openPeer(folder: string, site: string, siteGateway: Server): Promise<Server | null> {
  if (nginx === null) return null
  const served = forms.map(async ({ file, headers }, at): Promise<ServedFile> => {
    const response = await ask(siteGateway, ourPath, headers)
    return { at: `/${at}`, file: path.join(site, file), headers: [...response.headers] }
  })
  return startNginx(nginx, folder, await Promise.all(served))
}

/** `decompress: false` keeps the bytes and headers as sent. */
const ask = (server: Server, at: string, headers: Readonly<Record<string, string>>) =>
  fetch(`http://127.0.0.1:${server.port}${at}`, { headers, decompress: false })

const textOf = ({ headers }: Form) => requestText('GET', ourPath, headers)

type Peer = { server: Server; path: string } | null

async function measure(
  options: Options,
  form: Form,
  siteGateway: Server,
  peer: Peer,
): Promise<Result> {
  const loads: Load[] = []
  const side = async (server: Server, at: string) => {
    const tag = (await ask(server, at, form.headers)).headers.get('etag') ?? ''
    const headers = { ...form.headers, ...(form.status === '304' ? { 'if-none-match': tag } : {}) }
    const { seconds, requestsMax } = options
    const request: HttpLoad = {
      port: server.port,
      path: at,
      headers,
      connections,
      seconds,
      requestsMax,
    }
    return () =>
      meter({ gateway: server.pid, postmaster: undefined }, async () => {
        const run = await httpLoad(request, form.status)
        loads.push(run)
        return run
      })
  }
  const bare = form.status === '200' ? await startBare(siteGateway, textOf(form)) : null
  const runs = await interleave(options.rounds, {
    ours: await side(siteGateway, ourPath),
    ...(peer ? { nginx: await side(peer.server, peer.path) } : {}),
    ...(bare ? { bare: await side(bare, ourPath) } : {}),
  }).finally(() => bare?.stop())
  return {
    ...resultOf(form, runs),
    proofs: [
      allAnswered(form.name, form.status, loads),
      ...(await sameBytes(form, siteGateway, peer)),
    ],
  }
}

type Run = Load & Costs

function resultOf(
  { name, target }: Form,
  { ours = [], bare = [], nginx: served = [] }: Record<string, Run[]>,
): Pick<Result, 'rows' | 'notes'> {
  const rates = (side: Run[]) => side.map(run => run.perSecond)
  const peer =
    served.length > 0 ? { name: 'nginx, same file and headers', rounds: rates(served) } : null
  const common = { unit: '/s', peer }
  const least = rowOf({ ...common, job: `  ${bareName}`, ours: rates(bare), target: null })
  return {
    rows: [
      rowOf({ ...common, job: name, ours: rates(ours), target: peer ? target : null }),
      ...(peer && bare.length > 0 ? [least] : []),
    ],
    notes: [
      costLine(name, ours),
      ...(bare.length > 0 ? [costLine(`  ${bareName}`, bare)] : []),
      ...(peer ? [costLine('  nginx', served)] : []),
    ],
  }
}

/** For a fair comparison, both sides must send the same bytes. */
async function sameBytes(form: Form, siteGateway: Server, peer: Peer): Promise<Proof[]> {
  if (!peer) return []
  const hash = async (server: Server, at: string) =>
    Number(Bun.hash.crc32(await (await ask(server, at, form.headers)).bytes()))
  const what = `${form.name}: checksum of the bytes`
  return [
    {
      what,
      expected: await hash(peer.server, peer.path),
      found: await hash(siteGateway, ourPath),
    },
  ]
}
