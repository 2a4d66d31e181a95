import { defineConfig } from 'astro/config'
import config from '../content/site.config.ts'

export default defineConfig({
  site: config.site,
  trailingSlash: 'never',
  // A page is blog/<slug>.html, so every URL is clean and nothing redirects to a folder. Several
  // pages are rendered concurrently: while one is written to disk, the next is rendered.
  build: { format: 'file', assets: 'assets', inlineStylesheets: 'never', concurrency: 32 },
  // Astro's own default drops the space between two inline elements on separate lines.
  compressHTML: true,
  devToolbar: { enabled: false },
  experimental: {
    // Pages whose props didn't change aren't rendered again.
    incrementalBuild: true,
  },
  // Next to Astro's own files, so every checkout has its own caches.
  cacheDir: '.astro/cache',
  // Unchanged files stay in the output folder: build/keep.ts.
  vite: { cacheDir: '.astro/vite', build: { emptyOutDir: false } },
})
