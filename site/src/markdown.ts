import { satteri } from '@astrojs/markdown-satteri'

export type Heading = { depth: number; slug: string; text: string }

/** Markdown as HTML, and the headings in it. */
export type Rendered = { html: string; headings: Heading[] }

type Settings = Parameters<ReturnType<typeof satteri>['createRenderer']>[0]

const settings: Settings = {
  syntaxHighlight: 'shiki',
  shikiConfig: {
    // One theme of custom properties, which tokens.css gives a light and a dark value each.
    theme: 'css-variables',
    transformers: [
      {
        // The default leaves a line without colors after half a second, so that a page would
        // depend on how busy the machine was.
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
