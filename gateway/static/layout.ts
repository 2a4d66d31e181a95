import { goneFolder, type SiteFile } from './files.ts'
import { canonicalPage, catalogItself, homeLinks, listLink, markdownVersionLink } from './links.ts'

/** The response for a path's file. */
export type Placement = {
  readonly status: 200 | 404 | 410
  /** Whether another Accept header would select another file. */
  readonly variesOnAccept: boolean
  readonly links: readonly string[]
}

export type Placed = { readonly file: SiteFile; readonly placement: Placement }

type TwoForms = { readonly html: Placed; readonly markdown: Placed }
type ThreeForms = TwoForms & { readonly problem: Placed }

/** A path's entry: a page in two formats, or a deleted page in three. */
export type Row =
  | { readonly kind: 'file'; readonly only: Placed }
  | ({ readonly kind: 'page' } & TwoForms)
  | ({ readonly kind: 'gone' } & ThreeForms)
  | { readonly kind: 'moved'; readonly to: string; readonly status: 301 | 308 }

/**
 * The site as a table from paths to entries. The gateway serves from this table, and other servers'
 * configurations are generated from the same table, so no server can differ from the gateway.
 */
export type Layout = {
  readonly rows: ReadonlyMap<string, Row>
  /** The response for every other path. */
  readonly missing: ThreeForms
}

type Redirect = { readonly from: string; readonly to: string }

/** Served for missing paths, but not at their own paths. */
const missingPages = new Set(['/404.html', '/404.md', '/404.json'])
export function layOut(all: readonly SiteFile[], redirects: readonly Redirect[]): Layout {
  const files = new Map(all.map(file => [file.path, file]))
  const rows = new Map<string, Row>()
  const exists = (path: string) =>
    files.has(path) || files.has(`${path}.html`) || files.has(`${path}/index.html`)
  for (const { from, to } of redirects) rows.set(from, { kind: 'moved', to, status: 301 })
  for (const file of all) {
    if (missingPages.has(file.path)) continue
    if (file.path.startsWith(goneFolder)) layOutGone(rows, files, file)
    else if (file.path.endsWith('.html')) layOutPage(rows, files, file, exists)
    else rows.set(file.path, { kind: 'file', only: placeFile(file, exists) })
  }
  return { rows, missing: missingFrom(files) }
}

/** A page is at its clean URL. The page's `.html` path redirects to the clean URL. */
function layOutPage(
  rows: Map<string, Row>,
  files: ReadonlyMap<string, SiteFile>,
  file: SiteFile,
  exists: (path: string) => boolean,
): void {
  const url = cleanUrl(file.path)
  const markdownVersion = files.get(`${url}.md`) ?? files.get(`${url === '/' ? '' : url}/index.md`)
  const own = url === '/' ? homeLinks(exists) : []
  const list = url === '/' ? [] : listLink(url, exists)
  const moved = { kind: 'moved', to: encodeURI(url), status: 308 } as const
  rows.set(file.path, moved)
  if (file.path.endsWith('/index.html')) rows.set(file.path.slice(0, -'.html'.length), moved)
  if (markdownVersion === undefined) {
    const placement = { status: 200, variesOnAccept: false, links: own } as const
    rows.set(url, { kind: 'file', only: { file, placement } })
    return
  }
  const common = { status: 200, variesOnAccept: true } as const
  rows.set(url, {
    kind: 'page',
    html: {
      file,
      placement: { ...common, links: [...own, markdownVersionLink(markdownVersion.path), ...list] },
    },
    markdown: {
      file: markdownVersion,
      placement: { ...common, links: [canonicalPage(url), ...list] },
    },
  })
}

/** A deleted page responds in the requested format, even at its Markdown URL. */
function layOutGone(
  rows: Map<string, Row>,
  files: ReadonlyMap<string, SiteFile>,
  file: SiteFile,
): void {
  if (!file.path.endsWith('.html')) return
  const url = cleanUrl(file.path).slice(goneFolder.length - 1)
  const placement = { status: 410, variesOnAccept: true, links: [] } as const
  const html = { file, placement }
  const placed = (extension: string): Placed | undefined => {
    const other = files.get(file.path.replace(/html$/, extension))
    return other && { file: other, placement }
  }
  const markdown = placed('md') ?? html
  const row = { kind: 'gone', html, markdown, problem: placed('json') ?? markdown } as const
  rows.set(url, row)
  rows.set(`${url}.md`, row)
}

function placeFile(file: SiteFile, exists: (path: string) => boolean): Placed {
  const { path } = file
  const url = path.endsWith('.md') ? cleanUrl(path) : undefined
  const links = [
    ...(url !== undefined && (url === '/' || exists(url)) ? [canonicalPage(url)] : []),
    ...(url !== undefined && url !== '/' && exists(url) ? listLink(url, exists) : []),
    ...(path === '/.well-known/api-catalog' ? [catalogItself] : []),
  ]
  return { file, placement: { status: 200, variesOnAccept: false, links } }
}

/** `/blog/x.html` and `/blog/x/index.html` are both the page `/blog/x`. */
function cleanUrl(path: string): string {
  const bare = path.slice(0, path.lastIndexOf('.'))
  if (bare === '/index') return '/'
  return bare.endsWith('/index') ? bare.slice(0, -'/index'.length) : bare
}

/** The pages for missing paths. A build without these pages gets minimal pages. */
function missingFrom(files: ReadonlyMap<string, SiteFile>): Layout['missing'] {
  const note = new TextEncoder().encode(
    '# Not found\n\nThis page doesn’t exist. See [the home page](/) and [llms.txt](/llms.txt).\n',
  )
  const markdownVersion = files.get('/404.md') ?? {
    path: '/404.md',
    bytes: note,
    smaller: new Map(),
  }
  const placement = { status: 404, variesOnAccept: true, links: [] } as const
  const markdown = { file: markdownVersion, placement }
  const placed = (path: string): Placed => {
    const file = files.get(path)
    return file === undefined ? markdown : { file, placement }
  }
  return { html: placed('/404.html'), markdown, problem: placed('/404.json') }
}
