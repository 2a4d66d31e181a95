import { defineConfig } from 'astro/config'
import config from '../content/site.config.ts'

export default defineConfig({
  site: config.site,
  trailingSlash: 'never',
  // A page is blog/<slug>.html, so every address is clean and nothing redirects to a folder.
  // Several pages at once: while one is written to disk, the next is rendered.
  build: { format: 'file', assets: 'assets', inlineStylesheets: 'never', concurrency: 32 },
  // Astro's own default drops the space between two inline elements on two lines.
  compressHTML: true,
  devToolbar: { enabled: false },
  experimental: {
    // Pages whose props did not change are not rendered again.
    incrementalBuild: true,
  },
  // Beside Astro's own files, so that every checkout has caches of its own.
  cacheDir: '.astro/cache',
  // What does not change stays in the output folder: build/keep.ts.
  vite: { cacheDir: '.astro/vite', build: { emptyOutDir: false } },
})
