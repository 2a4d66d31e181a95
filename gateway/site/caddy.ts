import { dynamicPaths } from './dynamic.ts'
import type { Answer, SiteTable } from './table.ts'

export type CaddyOptions = { root: string; listen: string; gateway: string }

const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** What each type weighs in Accept, and which forms follow; CEL compares the decimals. */
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
    weight('application/xhtml\\+xml', 'xhtml_named', '0'),
    weight('text/markdown', 'markdown_weight', '0'),
    '  @markdown expression `double({markdown_weight}) > 0.0 && double({markdown_weight}) >= double({html_weight})`',
    '  @html expression `double({html_named}) > 0.0 || double({xhtml_named}) > 0.0`',
    '  vars form html',
    '  vars missing_form markdown',
    '  vars @html missing_form html',
    '  vars @markdown form markdown',
    '  vars @markdown missing_form markdown',
  ].join('\n')
}

const names = [
  'cache-control',
  'vary',
  'link',
  'content-security-policy',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'x-markdown-tokens',
]

/**
 * The outputs of the one big map: the file, and the headers that differ from address to address.
 */
function line(key: string, { file, headers }: Answer): string {
  const values = [file, headers['content-type'] ?? '', ...names.map(name => headers[name] ?? '')]
  return `    ${quote(key)} ${values.map(quote).join(' ')}`
}

function addresses({ rows }: SiteTable, status: 200 | 410): string[] {
  return rows.flatMap(row => {
    if (row.kind === 'moved' || (row.kind === 'gone') !== (status === 410)) return []
    if (row.kind === 'file')
      return [line(`${row.path} html`, row.file), line(`${row.path} markdown`, row.file)]
    return [line(`${row.path} html`, row.html), line(`${row.path} markdown`, row.markdown)]
  })
}

/**
 * A Caddyfile with the same table. Kept beside the nginx configuration, which a test holds against
 * the gateway wherever nginx is installed.
 */
export function caddyfile(table: SiteTable, { root, listen, gateway }: CaddyOptions): string {
  const outputs = ['file', 'type', ...names.map(name => name.replaceAll('-', '_'))]
  const list = (all: string[]) => all.map(name => `{${name}}`).join(' ')
  const empty = outputs.map(() => '""').join(' ')
  const moves = table.rows.flatMap(row =>
    row.kind === 'moved' ? [`  redir ${row.path} ${row.to} ${row.status}`] : [],
  )
  const { missing } = table
  const constant = ['api-version', 'ratelimit-policy', 'x-content-type-options', 'referrer-policy']
  return `# Written by gateway/site/edge.ts from the built site. Change the site, not this file.
{
  admin off
  auto_https off
}
${listen} {
  root * ${quote(root)}
${negotiation()}
${moves.join('\n')}
  map "{path} {vars.form}" ${list(outputs)} {
${addresses(table, 200).join('\n')}
    default ${empty}
  }
  map "{path} {vars.missing_form}" ${list(outputs.map(name => `gone_${name}`))} {
${addresses(table, 410).join('\n')}
    default ${empty}
  }
  map {vars.missing_form} ${list(outputs.map(name => `missing_${name}`))} {
${line('html', missing.html)}
${line('markdown', missing.markdown)}
  }
${constant.map(name => `  header ${name} ${quote(missing.html.headers[name] ?? '')}`).join('\n')}

  @known expression \`{file} != ""\`
  @gone expression \`{gone_file} != ""\`
  @dynamic path_regexp ${dynamicPaths.source.replaceAll('\\/', '/')}
  handle @known {
${serve('')}
  }
  handle @gone {
${serve('gone_', 410)}
  }
  handle @dynamic {
    reverse_proxy ${gateway}
  }
  @slash path_regexp slash ^(/.+)/$
  handle @slash {
    redir {re.slash.1} 308
  }
  handle {
${serve('missing_', 404)}
  }
}
`
}

function serve(prefix: string, status?: number): string {
  const headers = ['type', ...names].map(name => {
    const field = name === 'type' ? 'content-type' : name
    return `    header ${field} {${prefix}${name.replaceAll('-', '_')}}`
  })
  const file = `    rewrite * {${prefix}file}`
  const options = ['precompressed br zstd gzip', ...(status ? [`status ${status}`] : [])]
  return [
    ...headers,
    file,
    '    file_server {',
    ...options.map(each => `      ${each}`),
    '    }',
  ].join('\n')
}
