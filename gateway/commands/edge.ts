// `npm run edge`: writes other web servers' configuration for the built site to deploy/edge/.
import { constants, existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { UsageFault } from '#auth/operator.ts'
import { LaunchError } from '#database/launch-error.ts'
import type { TlsFiles } from '#http/origins/tls-files.ts'
import { readConfig } from '../settings/config.ts'
import { buildSiteIfChanged } from '../static/site-build.ts'
import { caddyfile } from '../edge/caddy.ts'
import { nginxConfig } from '../edge/nginx.ts'
import { otherHosts } from '../edge/other-hosts.ts'
import type { Command } from './command.ts'
import { siteTable, type SiteTable } from '../edge/header-table.ts'

const root = path.join(import.meta.dir, '..', '..')

const help = `Usage:
  npm run admin -- edge [--out=FOLDER] [--listen=PORT] [--gateways=PORT,…]
                        [--certificate=FILE --key=FILE]

Writes nginx, Caddy and CDN configuration for the built site in SITE_DIR, or the one npm start
built. Run it in the gateway's environment after each publication, and reload the web server;
npm run edge does the same.

  --out=FOLDER         output folder (this checkout's deploy/edge)
  --listen=PORT        port for nginx and Caddy (8080)
  --gateways=PORT,…    ports of this machine's gateways (PORT)
  --certificate=FILE   PEM certificate with which nginx and Caddy serve every host over TLS
  --key=FILE           the certificate's key; without both, a proxy in front decrypts TLS

If a proxy is in front of nginx or Caddy, list both in TRUSTED_PROXIES.`

type Options = { out: string; listen: number; ports: readonly number[]; tls: TlsFiles | undefined }

const names = ['out', 'listen', 'gateways', 'certificate', 'key'] as const

function readOptions(args: string[], port: number): Options {
  const options = Object.fromEntries(names.map(name => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ args, options })
  const {
    out,
    listen = '8080',
    gateways = String(port),
    certificate,
    key,
  } = values as {
    [Name in (typeof names)[number]]?: string
  }
  if ((certificate === undefined) !== (key === undefined))
    throw new UsageFault('Give both --certificate and --key, or neither.')
  // A web server doesn't reload with a missing file.
  const missing = [certificate, key].find(file => file !== undefined && !existsSync(file))
  if (missing !== undefined)
    throw new LaunchError(`${missing} doesn't exist, or this account can't see it.`)
  return {
    out: path.resolve(out ?? path.join(root, 'deploy', 'edge')),
    listen: portOf('--listen', listen),
    ports: gateways.split(',').map(each => portOf('--gateways', each)),
    // The web server reads these files from another working folder.
    tls:
      certificate && key
        ? { certificate: path.resolve(certificate), key: path.resolve(key) }
        : undefined,
  }
}

function portOf(option: string, text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new UsageFault(`${option} must be a port, such as 8080, not ${JSON.stringify(text)}.`)
}

/**
 * The `_headers` file for static hosts, with one section per path. Such a file can't negotiate by
 * Accept, but the worker can.
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

/** A module for CDNs that run code: the rules, bundled with this build's table. */
async function workerFile(
  out: string,
  table: SiteTable,
  others: readonly string[],
): Promise<string> {
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

async function write(args: string[]): Promise<void> {
  const config = readConfig()
  const { out, listen, ports, tls } = readOptions(args, config.port)
  const others = otherHosts(config, ports)
  const { siteDir } = config
  // Standard output lists only the written files.
  if (siteDir === undefined) await buildSiteIfChanged(line => console.error(line))
  // The build itself, because the table won't match the build that the link leads to later.
  const built = realpathSync(siteDir ?? path.join(root, 'site', 'dist'))
  const table = siteTable(built)
  await makeFolder(out)
  const brotli = existsSync('/usr/lib/nginx/modules/ngx_http_brotli_static_module.so')
  const gateways = ports.map(port => `127.0.0.1:${port}`)
  const proxies = config.trustedProxies.map(([address, bits]) => `${address}/${bits}`)
  const shared = { root: built, gateways, tls, others }
  const files = {
    'headers.json': `${JSON.stringify(table, null, 1)}\n`,
    'nginx.conf': nginxConfig(table, { ...shared, listen: String(listen), brotli }),
    Caddyfile: caddyfile(table, { ...shared, listen: `:${listen}`, proxies }),
    _headers: headersFile(table),
    'worker.js': await workerFile(
      out,
      table,
      others.map(({ host }) => host),
    ),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(out, name), text)
  console.log(`edge: ${table.rows.length} addresses, in ${out}`)
}

/** The folder for request bodies that nginx buffers. */
async function makeFolder(out: string): Promise<void> {
  const made = mkdir(path.join(out, 'tmp'), { recursive: true })
  const isWritable = await made
    .then(() => access(out, constants.W_OK))
    .then(
      () => true,
      () => false,
    )
  if (!isWritable)
    throw new LaunchError(`${out} cannot be written. Name another folder: --out=FOLDER.`)
}

async function run(args: string[]): Promise<number> {
  await write(args)
  return 0
}

export const edge: Command = { help, run }
