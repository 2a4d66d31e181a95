import { dynamicPaths } from './dynamic.ts'

/** The links in the home page's Link header (RFC 8288), each included if its target exists. */
const announced: readonly [path: string, rel: string, type: string][] = [
  ['/.well-known/api-catalog', 'api-catalog', 'application/linkset+json'],
  ['/openapi.json', 'service-desc', 'application/vnd.oai.openapi+json;version=3.1'],
  ['/developers', 'service-doc', 'text/html'],
  ['/api/health', 'status', 'application/health+json'],
  ['/llms.txt', 'describedby', 'text/plain'],
  ['/.well-known/ai-catalog.json', 'ai-catalog', 'application/ai-catalog+json'],
  ['/.well-known/ard.json', 'ard', 'application/json'],
  ['/agents.md', 'describedby', 'text/markdown'],
  ['/sitemap.xml', 'sitemap', 'application/xml'],
]

function link(path: string, rel: string, type?: string): string {
  return `<${encodeURI(path)}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`
}

export function homeLinks(exists: (path: string) => boolean): string[] {
  return announced
    .filter(([path]) => exists(path) || dynamicPaths.test(path))
    .map(entry => link(...entry))
}

export function markdownVersionLink(path: string): string {
  return link(path, 'alternate', 'text/markdown')
}

/** The list of pages (llms.txt) nearest to a page: its section's or the site's. */
export function listLink(path: string, exists: (path: string) => boolean): string[] {
  const near = `/${path.split('/')[1] ?? ''}/llms.txt`
  const list = [near, '/llms.txt'].find(exists)
  return list === undefined ? [] : [link(list, 'describedby', 'text/plain')]
}

export function canonicalPage(path: string): string {
  return link(path, 'canonical')
}

/** RFC 9727 requires the catalog to link to itself, including for HEAD. */
export const catalogItself = link('/.well-known/api-catalog', 'api-catalog')
