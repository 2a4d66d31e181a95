import { dynamicPaths } from './dynamic.ts'

/** The links of the home page's Link header (RFC 8288), if the target exists. */
const announced: readonly [path: string, rel: string, type: string][] = [
  ['/.well-known/api-catalog', 'api-catalog', 'application/linkset+json'],
  ['/openapi.json', 'service-desc', 'application/vnd.oai.openapi+json;version=3.1'],
  ['/developers', 'service-doc', 'text/html'],
  ['/api/health', 'status', 'application/health+json'],
  ['/llms.txt', 'describedby', 'text/plain'],
  ['/.well-known/ai-catalog.json', 'ai-catalog', 'application/json'],
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

export function canonicalPage(path: string): string {
  return link(path, 'canonical')
}

/** RFC 9727 requires the catalog to link to itself, for HEAD too. */
export const catalogItself = link('/.well-known/api-catalog', 'api-catalog')
