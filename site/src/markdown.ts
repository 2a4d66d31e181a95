import type { satteri } from '@astrojs/markdown-satteri'
import type { Rendered } from './given.ts'

type Engine = ReturnType<typeof satteri>
type Settings = Parameters<Engine['createRenderer']>[0]

const settings: Settings = {
  syntaxHighlight: 'shiki',
  shikiConfig: {
    // One of custom properties, which tokens.css gives a light and a dark value each.
    theme: 'css-variables',
    transformers: [
      {
        // After half a second it would leave a line without colours: another page on a busy day.
        preprocess(_code, options) {
          options.tokenizeTimeLimit = 0
        },
      },
    ],
  },
}

let renderer: ReturnType<Engine['createRenderer']> | undefined

/** Loaded when it is needed: most builds find what it makes kept. */
async function openRenderer() {
  const engine = await import('@astrojs/markdown-satteri')
  return engine.satteri().createRenderer(settings)
}

/** What the markdown engine of Astro makes of words, and the headings that it found in them. */
export async function toHtml(words: string): Promise<Rendered> {
  renderer ??= openRenderer()
  const { code, metadata } = await (await renderer).render(words)
  return { html: code, headings: metadata.headings }
}
