import { satteri } from '@astrojs/markdown-satteri'

export type Heading = { depth: number; slug: string; text: string }

/** Markdown as HTML, with its headings. */
export type Rendered = { html: string; headings: Heading[] }

type Settings = Parameters<ReturnType<typeof satteri>['createRenderer']>[0]

const settings: Settings = {
  syntaxHighlight: 'shiki',
  shikiConfig: {
    // One theme of custom properties; tokens.css gives each a light and a dark value.
    theme: 'css-variables',
    transformers: [
      {
        // By default, a line loses its colors after half a second, so a page would depend on how
        // busy the machine is.
        preprocess(_code, options) {
          options.tokenizeTimeLimit = 0
        },
      },
    ],
  },
}

/** Renders Markdown with Astro's own engine. */
export async function toHtml(text: string): Promise<Rendered> {
  renderer ??= satteri().createRenderer(settings)
  const { code, metadata } = await (await renderer).render(text)
  return { html: code, headings: metadata.headings }
}

let renderer: ReturnType<ReturnType<typeof satteri>['createRenderer']> | undefined
