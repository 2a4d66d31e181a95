// `npm run edge`: writes deploy/edge/, the configuration of other web servers for the built site.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readConfig } from '../settings/config.ts'
import { buildSiteIfChanged } from '../static/site-build.ts'
import { caddyfile } from '../edge/caddy.ts'
import { nginxConfig } from '../edge/nginx.ts'
import { otherHosts } from '../edge/other-hosts.ts'
import { siteTable, type SiteTable } from '../edge/header-table.ts'

const root = path.join(import.meta.dir, '..', '..')
const out = path.join(root, 'deploy', 'edge')

/**
 * The `_headers` file of static hosts, with one section per path. It cannot choose a version by
 * Accept; the worker can.
 */
export function headersFile({ rows }: SiteTable): string {
  const section = (at: string, headers: Record<string, string>) =>
    [at, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n')
  return rows
    .flatMap(row => {
      if (row.kind === 'moved') return []
      const { headers } = row.kind === 'file' ? row.file : row.html
      return [section(row.path, headers)]
    })
    .join('\n\n')
    .concat('\n')
}

/** A module for a CDN that runs code: the rules bundled with this build's table. */
async function workerFile(table: SiteTable, others: readonly string[]): Promise<string> {
  const entry = path.join(out, 'worker-entry.ts')
  writeFileSync(
    entry,
    [
      `import { worker } from ${JSON.stringify(path.join(root, 'gateway', 'edge', 'cdn-worker.ts'))}`,
      `const handle = worker(${JSON.stringify(table)}, ${JSON.stringify(others)})`,
      `export default {`,
      `  fetch: (request, env) =>`,
      `    handle(request, file => env.ASSETS.fetch(new URL(file, request.url))),`,
      `}`,
    ].join('\n'),
  )
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', format: 'esm' })
  rmSync(entry)
  return (await outputs[0]?.text()) ?? ''
}

async function write(): Promise<void> {
  const config = readConfig()
  const { siteDir, port } = config
  const others = otherHosts(config)
  // Standard output is for what was written.
  if (siteDir === undefined) await buildSiteIfChanged(line => console.error(line))
  const built = siteDir ?? path.join(root, 'site', 'dist')
  const table = siteTable(built)
  mkdirSync(path.join(out, 'tmp'), { recursive: true })
  const brotli = existsSync('/usr/lib/nginx/modules/ngx_http_brotli_static_module.so')
  const gateway = `127.0.0.1:${port}`
  const files = {
    'headers.json': `${JSON.stringify(table, null, 1)}\n`,
    'nginx.conf': nginxConfig(table, { root: built, listen: '8080', gateway, brotli, others }),
    Caddyfile: caddyfile(table, { root: built, listen: ':8080', gateway, others }),
    _headers: headersFile(table),
    'worker.js': await workerFile(
      table,
      others.map(({ host }) => host),
    ),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(out, name), text)
  console.log(`edge: ${table.rows.length} addresses, in ${path.relative(root, out)}/`)
}

if (import.meta.main) await write()
