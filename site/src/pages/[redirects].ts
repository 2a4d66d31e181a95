import { comparisons, guides, pages, posts } from '../catalog.ts'

/** Astro ignores pages whose file name starts with an underscore. */
export const getStaticPaths = () => [{ params: { redirects: '_redirects' } }]

/**
 * Pages' former URLs, one per line, in the format that static hosts use. The gateway and the edge
 * configurations read the same file.
 */
export function GET() {
  const lines = [...posts(), ...comparisons(), ...guides(), ...pages()].flatMap(
    ({ path, redirect_from: former = [] }) =>
      former.flatMap(old => [`${old} ${path} 301\n`, `${old}.md ${path}.md 301\n`]),
  )
  return new Response(lines.sort().join(''))
}
