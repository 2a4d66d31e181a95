import { strictTransport, tlsCiphers } from '#http/origins/strict-transport.ts'
import type { TlsFiles } from '#http/origins/tls-files.ts'
import { limits } from '#contract/limits.ts'
import { goneFolder, mediaType } from '../static/files.ts'
import { completedPaths, dynamicPaths, gatewayWellKnown } from '../static/dynamic.ts'
import {
  type Answer,
  constantHeaders,
  type SiteTable,
  type TableRow,
  varyingHeaders,
} from './header-table.ts'
import { negotiation } from './nginx-negotiation.ts'
import type { OtherHost } from './other-hosts.ts'

type NginxOptions = {
  root: string
  listen: string
  gateways: readonly string[]
  brotli: boolean
  /** The TLS files for every host. If absent, something in front of the server handles TLS. */
  tls?: TlsFiles | undefined
  others?: readonly OtherHost[]
}

const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
const variable = (name: string) => `$send_${name.replaceAll('-', '_')}`

type Keyed = { key: string; answer: Answer }

/** Every response, by the path and format that nginx looks up. */
function keyed({ rows, missing }: SiteTable): Keyed[] {
  const two = (path: string, html: Answer, markdown: Answer) => [
    { key: `${path} html`, answer: html },
    { key: `${path} markdown`, answer: markdown },
  ]
  const found = rows.flatMap(row => {
    if (row.kind === 'moved') return []
    if (row.kind === 'file') return [{ key: `${row.path} file`, answer: row.file }]
    // nginx looks up an error page again, by its file name.
    if (row.kind === 'page') return two(row.path, row.html, row.markdown)
    const { html, markdown, problem } = row
    const files = row.path.endsWith('.md') ? [] : [html, markdown, problem].map(({ file }) => file)
    return [row.path, ...files].flatMap(path => [
      ...two(path, html, markdown),
      { key: `${path} problem`, answer: problem },
    ])
  })
  return [
    ...found,
    { key: '~ html$', answer: missing.html },
    { key: '~ markdown$', answer: missing.markdown },
    { key: '~ problem$', answer: missing.problem },
  ]
}

function map(source: string, target: string, lines: [string, string][], fallback = ''): string {
  const entries = lines.map(([key, value]) => `    ${quote(key)} ${quote(value)};`)
  return [`  map ${source} ${target} {`, `    default ${quote(fallback)};`, ...entries, '  }'].join(
    '\n',
  )
}

/** Redirects with one status. A path with a trailing slash redirects to the same target as the path
 *  without it, or to that path itself. */
function redirects(rows: TableRow[], status: number): [string, string][] {
  return rows.flatMap(row => {
    const isMoved = row.kind === 'moved'
    const to = isMoved ? row.to : row.path
    if ((isMoved ? row.status : 308) !== status) return []
    const paths = [...(isMoved ? [row.path] : []), ...(row.path === '/' ? [] : [`${row.path}/`])]
    return paths.map((path): [string, string] => [path, to])
  })
}

function maps(table: SiteTable): string {
  const answers = keyed(table)
  const kinds = table.rows.map((row): [string, string] => [row.path, row.kind])
  const moved = [...redirects(table.rows, 301), ...redirects(table.rows, 308)]
  const names = new Map<string, string>([
    ...kinds,
    ...moved.map(([path]) => [path, 'moved'] as const),
  ])
  const headers = varyingHeaders.map(name => {
    const lines = answers.map(
      ({ key, answer }) => [key, answer.headers[name] ?? ''] as [string, string],
    )
    const own = name === 'cache-control' ? 'public, max-age=300' : ''
    return map('"$request_path $form"', variable(name), lines, own)
  })
  const exact = answers.filter(({ key }) => !key.startsWith('~'))
  return [
    map('$request_path', '$kind', [...names], 'missing'),
    map('$request_path', '$moved_301', redirects(table.rows, 301)),
    map('$request_path', '$moved_308', redirects(table.rows, 308)),
    `  map $kind $form {\n    default file;\n    moved moved;\n    page $page_form;\n    gone $gone_form;\n    missing $gone_form;\n  }`,
    map(
      '"$request_path $form"',
      '$served',
      exact.map(({ key, answer }) => [key, answer.file]),
      '/none',
    ),
    `  map $gone_form $missing_page {\n    default ${table.missing.html.file};\n    markdown ${table.missing.markdown.file};\n    problem ${table.missing.problem.file};\n  }`,
    ...headers,
  ].join('\n')
}

function answersOf(row: TableRow): Answer[] {
  if (row.kind === 'moved') return []
  if (row.kind === 'file') return [row.file]
  return [row.html, row.markdown, ...(row.kind === 'gone' ? [row.problem] : [])]
}

/** Types by extension, and a location for each file with an ambiguous extension. */
function types(table: SiteTable): { block: string; locations: string } {
  const byExtension = new Map<string, string>()
  const odd = new Map<string, Answer>()
  for (const row of table.rows) {
    for (const answer of answersOf(row)) {
      const extension = /\.(\w+)$/.exec(answer.file)?.[1]
      const full = answer.headers['content-type'] ?? mediaType(answer.file)
      const bare = full.replace(/;.*/, '')
      if (
        extension === undefined ||
        (byExtension.get(extension) ?? mediaType(`/x.${extension}`).replace(/;.*/, '')) !== bare
      )
        odd.set(answer.file, answer)
      else byExtension.set(extension, bare)
    }
  }
  const lines = [...byExtension].map(([extension, type]) => `    ${type} ${extension};`)
  const locations = [...odd.values()].map(({ file, headers }) => {
    // All text uses the same charset.
    const type = (headers['content-type'] ?? '').replace(/; charset=.*/, '')
    const own = file.startsWith(goneFolder) ? 'internal; ' : ''
    return `    location = ${file} { ${own}types { } default_type '${type}'; try_files $served =404; }`
  })
  return { block: `  types {\n${lines.join('\n')}\n  }`, locations: locations.join('\n') }
}

/** Locations for files and redirects, which don't need the gateway. */
function ownLocations(table: SiteTable, locations: string): string {
  const statics = table.rows
    .filter(row => row.kind === 'file' && dynamicPaths.test(row.path))
    .map(({ path }) => `    location = ${path} { try_files $served =404; }`)
  const { file, headers } = table.missing.problem
  return `    location ~ ^/(gone/|404\\.(html|md)$) { internal; }
    location = ${file} { internal; types { } default_type ${headers['content-type']}; }
    location ~ (^/_|/\\.) { return 404; }
    location ^~ /.well-known/ {
      if ($moved_308) { return 308 $moved_308$is_args$args; }
      try_files $served =404;
    }
${locations}
${statics.join('\n')}
    location @built { try_files $served =404; }
    location / {
      if ($moved_301) { return 301 $moved_301$is_args$args; }
      if ($moved_308) { return 308 $moved_308$is_args$args; }
      if ($kind = gone) { return 410; }
      try_files $served =404;
    }`
}

/** `max_fails=0` keeps nginx from leaving out a gateway that refused a connection while it
 *  restarted, because the next request could then fail on the only one left. The script that
 *  restarts one machine (deploy/one-machine/write.ts) adds `down` to these lines. */
const upstream = (name: string, gateways: readonly string[]) => `  upstream ${name} {
${gateways.map(gateway => `    server ${gateway} max_fails=0;`).join('\n')}
  }`

const listening = (listen: string, { tls }: Pick<NginxOptions, 'tls'>, isDefault = false) => {
  const words = [listen, ...(tls ? ['ssl'] : []), ...(isDefault ? ['default_server'] : [])]
  return `    listen ${words.join(' ')};`
}

const tlsLines = ({ certificate, key }: TlsFiles) => `
  ssl_certificate ${quote(certificate)};
  ssl_certificate_key ${quote(key)};
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_ciphers ${tlsCiphers};
  ssl_session_cache shared:tls:10m;`

/** A header in a location overrides the server block's headers. The gateway reads the addresses
 *  from the right, and stops at the first one that isn't in TRUSTED_PROXIES. */
const askGateway = (
  name: string,
  { tls }: Pick<NginxOptions, 'tls'>,
) => `      proxy_pass http://${name};
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_header;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_buffering off;
      add_header X-Content-Type-Options nosniff always;${tls ? hidden : ''}`

const strict = `    add_header ${strictTransport.name} ${quote(strictTransport.value)} always;`
const hidden = `
      proxy_hide_header ${strictTransport.name};
  ${strict}`

function server(table: SiteTable, options: NginxOptions, own: string): string {
  const sample = table.missing.html.headers
  return `  server {
${listening(options.listen, options, true)}
    root ${quote(options.root)};
    set $request_path $uri;
    merge_slashes off;
    absolute_redirect off;
    port_in_redirect off;
    error_page 404 $missing_page;
    error_page 405 = @gateway;
    error_page 410 $served;
${constantHeaders.map(name => `    add_header ${name} ${quote(sample[name] ?? '')} always;`).join('\n')}
${varyingHeaders.map(name => `    add_header ${name} ${variable(name)} always;`).join('\n')}
${options.tls ? strict : `    add_header ${strictTransport.name} $strict_transport always;`}
${own}
    location ~ ${dynamicPaths.source.replaceAll('\\/', '/')} {
${askGateway('gateway', options)}
    }
${gatewayWellKnown
  .flatMap(path => [path, `${path}/`])
  .map(path => `    location = ${path} {\n${askGateway('gateway', options)}\n    }`)
  .join('\n')}
${completedPaths
  .map(
    path => `    location = ${path} {
      proxy_intercept_errors on;
      error_page 500 502 503 504 =200 @built;
${askGateway('gateway', options)}
    }`,
  )
  .join('\n')}
    location @gateway {
${askGateway('gateway', options)}
    }
  }`
}

/** The module owns its whole host, so nginx serves no files there. */
const otherServer = (
  { host, module, gateways }: OtherHost,
  options: NginxOptions,
) => `${upstream(module, gateways)}
  server {
${listening(options.listen, options)}
    server_name ${host};
    location / {
${askGateway(module, options)}
    }
  }
`

/** A complete configuration: nginx serves files and forwards all other requests to the gateway. */
export function nginxConfig(table: SiteTable, options: NginxOptions): string {
  const { block, locations } = types(table)
  const { others = [] } = options
  const module = 'load_module /usr/lib/nginx/modules/ngx_http_brotli_static_module.so;\n'
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `# Written by gateway/commands/edge.ts from the built site. Change the site, not this file.
daemon off;
worker_processes auto;
pid nginx.pid;
error_log stderr warn;
${options.brotli ? module : ''}events { worker_connections 1024; }
http {
${block}
  default_type application/octet-stream;
  charset utf-8;
  charset_types text/markdown text/plain text/css text/javascript application/xml
    application/rss+xml;
  map_hash_max_size 262144;
  map_hash_bucket_size 1024;
  variables_hash_max_size 2048;
  access_log off;
  # A document is uploaded in one body; realtime uses WebSocket.
  client_max_body_size ${limits.fileBytesMax};
  map $http_upgrade $connection_header { default upgrade; "" ""; }
  # For a proxy in front that decrypts TLS.
  map $http_x_forwarded_proto $strict_transport { https ${quote(strictTransport.value)}; default ""; }
  sendfile on;
  server_tokens off;${options.tls ? tlsLines(options.tls) : ''}
  gzip_static on;
${options.brotli ? '  brotli_static on;\n' : ''}${temporary.map(name => `  ${name}_temp_path tmp;`).join('\n')}
${negotiation()}
${maps(table)}
${upstream('gateway', options.gateways)}
${server(table, options, ownLocations(table, locations))}
${others.map(other => otherServer(other, options)).join('')}}
`
}
