import config from '#content/site.config.ts'
import type { Home } from '#content/schema.ts'
import type { Post, Text } from '../catalog.ts'
import { notTheProvider } from './notices.ts'
import { address, twinOf } from './twin.ts'

type Listed = { title: string; description: string; path: string }

const line = ({ title, description, path }: Listed) =>
  `- [${title}](${address(twinOf(path))}): ${description}`

/** llms.txt: an h1, a quoted summary, sections, one line a page. Every link is markdown that exists. */
export function llms(home: Home, blog: Text, posts: Post[]): string {
  return [
    `# ${config.name}`,
    `> ${home.lead}`,
    `${notTheProvider} Each link leads to plain markdown; the same text as a page is at the address without \`.md\`, which also answers markdown to \`Accept: text/markdown\`.`,
    `## Overview\n\n${[line({ ...home, path: '/' }), line(blog)].join('\n')}`,
    `## Articles\n\n${posts.map(line).join('\n')}`,
    `## Machine-readable\n\nThe contract of the clinical API is OpenAPI 3.1 at \`/openapi/v1.yaml\` and \`/openapi/v1.json\`. The articles are listed at \`/catalog/articles.json\` and in \`/feed.xml\`. A question goes to \`/ask?query=…\` and is answered with ranked pages.`,
  ]
    .join('\n\n')
    .concat('\n')
}
