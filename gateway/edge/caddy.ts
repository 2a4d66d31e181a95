import { strictTransport } from '#http/origins/strict-transport.ts'
import type { TlsFiles } from '#http/origins/tls-files.ts'
import { completedPaths, dynamicPaths } from '../static/dynamic.ts'
import { type Answer, constantHeaders, type SiteTable, varyingHeaders } from './header-table.ts'
import type { OtherHost } from './other-hosts.ts'

type CaddyOptions = {
  root: string
  listen: string
  gateways: readonly string[]
  /** The TLS files for every host. If absent, something in front of the server handles TLS. */
  tls?: TlsFiles | undefined
  /** Proxies whose X-Forwarded-For is passed on. Caddy adds each proxy's address. */
  proxies?: readonly string[]
  others?: readonly OtherHost[]
}

/** In a Caddyfile, a backslash escapes only a quotation mark. */
const quote = (text: string) => `"${text.replaceAll('"', '\\"')}"`

/** Each media type's weight in Accept, and the format that it selects. CEL compares the
 *  decimals. */
function negotiation(): string {
  const weight = (type: string, name: string, fallback: string) => {
    const start = `(?i)(?:^|,)\\s*${type}\\s*`
    return [
      `  map {header.Accept} {${name}} {`,
      `    ${quote(`~${start};(?:[^,]*;)?\\s*q\\s*=\\s*(1(?:\\.0*)?|0(?:\\.\\d*)?)\\s*(?:;|,|$)`)} "\${1}"`,
      `    ${quote(`~${start}(?:;[^,]*)?(?:,|$)`)} 1`,
      `    default ${fallback}`,
      '  }',
    ].join('\n')
  }
  return [
    weight('\\*/\\*', 'any_weight', '0'),
    weight('text/\\*', 'text_weight', '{any_weight}'),
    weight('text/html', 'html_weight', '{text_weight}'),
    weight('text/html', 'html_named', '0'),
    weight('text/html', 'html_stated', '-1'),
    weight('text/markdown', 'markdown_stated', '-1'),
    weight('application/xhtml\\+xml', 'xhtml_named', '0'),
    weight('text/markdown', 'markdown_weight', '0'),
    weight('application/json', 'json_named', '0'),
    weight('application/problem\\+json', 'problem_named', '0'),
    // The second half is for an Accept header that rejects HTML explicitly and doesn't reject
    // Markdown.
    '  @markdown expression `(double({markdown_weight}) > 0.0 && double({markdown_weight}) >= double({html_weight})) || (double({html_stated}) == 0.0 && double({markdown_stated}) != 0.0)`',
    '  @html expression `double({html_named}) > 0.0 || double({xhtml_named}) > 0.0`',
    `  @problem expression \`${['json_named', 'problem_named'].map(moreThanOthers).join(' || ')}\``,
  ].join('\n')
}

const moreThanOthers = (name: string) =>
  ['html_named', 'xhtml_named', 'markdown_weight']
    .map(other => `double({${name}}) > double({${other}})`)
    .join(' && ')

/** Directives run in this order; Caddy keeps the order only within a route. */
const forms = [
  'vars form html',
  'vars missing_form markdown',
  'vars @html missing_form html',
  'vars @markdown form markdown',
  'vars @markdown missing_form markdown',
  'vars gone_form {vars.missing_form}',
  'vars @problem gone_form problem',
]

/** The outputs of the map of all paths: the file, and the headers that vary by path. */
function line(key: string, { file, headers }: Answer): string {
  const values = [
    file,
    headers['content-type'] ?? '',
    ...varyingHeaders.map(name => headers[name] ?? ''),
  ]
  return `    ${quote(key)} ${values.map(quote).join(' ')}`
}

function addresses({ rows }: SiteTable, status: 200 | 410): string[] {
  return rows.flatMap(row => {
    if (row.kind === 'moved' || (row.kind === 'gone') !== (status === 410)) return []
    if (row.kind === 'file')
      return [line(`${row.path} html`, row.file), line(`${row.path} markdown`, row.file)]
    const two = [line(`${row.path} html`, row.html), line(`${row.path} markdown`, row.markdown)]
    return row.kind === 'gone' ? [...two, line(`${row.path} problem`, row.problem)] : two
  })
}

/** Redirects for moved paths, and for every path with a trailing slash. */
function moves({ rows }: SiteTable): string[] {
  return rows.flatMap(row => {
    const [to, status] = row.kind === 'moved' ? [row.to, row.status] : [row.path, 308]
    // The prefix keeps Caddy from converting the value to a number, which never equals a string.
    const entry = (from: string) => `    ${[from, to, `s${status}`].map(quote).join(' ')}`
    const slashed = row.path === '/' ? [] : [entry(`${row.path}/`)]
    return row.kind === 'moved' ? [entry(row.path), ...slashed] : slashed
  })
}

/** A Caddyfile for the table. If Caddy is installed, a test compares it with the gateway. */
export function caddyfile(table: SiteTable, options: CaddyOptions): string {
  const { root, listen, tls, others = [] } = options
  const outputs = ['file', 'type', ...varyingHeaders.map(outputOf)]
  const list = (all: string[]) => all.map(name => `{${name}}`).join(' ')
  const empty = outputs.map(() => '""').join(' ')
  const { missing } = table
  return `# Written by gateway/commands/edge.ts from the built site. Change the site, not this file.
{
  # Set it to a socket, such as unix//run/caddy-admin.sock, and caddy reload works.
  admin {$CADDY_ADMIN:off}
  auto_https off
}
${listen} {${tls ? tlsLine(tls) : ''}
${strict(options)}
  root * ${quote(root)}
${negotiation()}
  map {query} {query_suffix} {
    "" ""
    default "?{query}"
  }
  map {path} {moved_to} {moved_status} {
${moves(table).join('\n')}
    default "" ""
  }
  map "{path} {vars.form}" ${list(outputs.map(name => `found_${name}`))} {
${addresses(table, 200).join('\n')}
    default ${empty}
  }
  map "{path} {vars.gone_form}" ${list(outputs.map(name => `gone_${name}`))} {
${addresses(table, 410).join('\n')}
    default ${empty}
  }
  map {vars.gone_form} ${list(outputs.map(name => `missing_${name}`))} {
${line('html', missing.html)}
${line('markdown', missing.markdown)}
${line('problem', missing.problem)}
  }
${constantHeaders.map(name => `  header ${name} ${quote(missing.html.headers[name] ?? '')}`).join('\n')}

  @found expression \`{found_file} != ""\`
  @gone expression \`{gone_file} != ""\`
  @live path ${completedPaths.join(' ')}
  @dynamic path_regexp ${dynamicPaths.source.replaceAll('\\/', '/')}
  @moved_301 expression \`{moved_status} == "s301"\`
  @moved_308 expression \`{moved_status} == "s308"\`
${prefixes.flatMap(prefix => varyingHeaders.map(name => present(prefix, name))).join('\n')}
${route(options)}
  handle_errors {
${setStrict(options, '')}
    handle @live {
${serve('found_', 200)}
    }
  }
}
${others.map(other => otherHost(other, options)).join('')}`
}

/** The module owns its whole host, so Caddy serves no files there. */
const otherHost = ({ host, gateways }: OtherHost, options: CaddyOptions) =>
  `${options.tls ? 'https' : 'http'}://${host}:${/\d+$/.exec(options.listen)?.[0]} {${options.tls ? `${tlsLine(options.tls)}\n${strict(options)}` : ''}
  reverse_proxy ${gateways.join(' ')} {
${passing(options)}
  }
}
`

/** `>` sets the header last, so it replaces the gateway's own. */
const setStrict = ({ tls }: Pick<CaddyOptions, 'tls'>, at: '>' | '' = '>') =>
  `  header ${tls ? '' : '@decrypted '}${at}${strictTransport.name} ${quote(strictTransport.value)}`

const strict = (options: Pick<CaddyOptions, 'tls'>) =>
  `${options.tls ? '' : '  @decrypted header X-Forwarded-Proto https\n'}${setStrict(options)}`

const tlsLine = ({ certificate, key }: TlsFiles) => `
  tls ${quote(certificate)} ${quote(key)} {
    ciphers TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
  }`

/** A gateway closes a connection after 30 idle seconds. If Caddy kept it longer, a request could
 *  hit a closed connection, and Caddy responds to a failed write with 502. */
const ownIdleTime = `    transport http {
      keepalive 20s
    }`

/** A restarting gateway briefly refuses connections, and Caddy then tries the next one. */
const passing = ({ gateways, proxies = [] }: CaddyOptions) =>
  [
    ownIdleTime,
    ...(proxies.length > 0 ? [`    trusted_proxies ${proxies.join(' ')}`] : []),
    ...(gateways.length > 1 ? ['    lb_try_duration 5s', '    lb_try_interval 100ms'] : []),
  ].join('\n')

/** The order of the handlers, after the maps have looked up the path. */
const route = (options: CaddyOptions) => `  route {
${forms.map(form => `    ${form}`).join('\n')}
    handle @moved_301 {
      header cache-control "public, max-age=300"
      redir {moved_to}{query_suffix} 301
    }
    handle @moved_308 {
      header cache-control "public, max-age=300"
      redir {moved_to}{query_suffix} 308
    }
    handle @live {
      reverse_proxy ${options.gateways.join(' ')} {
${passing(options)}
        @down status 5xx
        handle_response @down {
${serve('found_')}
        }
      }
    }
    handle @found {
${serve('found_')}
    }
    handle @gone {
${serve('gone_', 410)}
    }
    handle @dynamic {
      reverse_proxy ${options.gateways.join(' ')} {
${passing(options)}
      }
    }
    handle {
${serve('missing_', 404)}
    }
  }`

const prefixes = ['found_', 'gone_', 'missing_'] as const
type Prefix = (typeof prefixes)[number]

const outputOf = (name: string) => name.replaceAll('-', '_')

/** Prevents headers without a value. */
const present = (prefix: Prefix, name: string) =>
  `  @${prefix}${outputOf(name)} expression \`{${prefix}${outputOf(name)}} != ""\``

function serve(prefix: Prefix, status?: number): string {
  const headers = varyingHeaders.map(
    name => `header @${prefix}${outputOf(name)} ${name} {${prefix}${outputOf(name)}}`,
  )
  const options = ['precompressed br gzip', ...(status ? [`status ${status}`] : [])]
  return [
    ...headers,
    `header content-type {${prefix}type}`,
    `rewrite * {${prefix}file}`,
    'file_server {',
    ...options.map(each => `  ${each}`),
    '}',
  ]
    .map(each => `      ${each}`)
    .join('\n')
}
