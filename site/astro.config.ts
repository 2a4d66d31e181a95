import { defineConfig } from 'astro/config'
import config from '../content/site.config.ts'

export default defineConfig({
  site: config.site,
  trailingSlash: 'never',
  // A page is a file such as blog/<slug>.html, so every URL is clean and nothing redirects to a
  // folder. Pages render concurrently, so one renders while another is written to disk.
  build: { format: 'file', assets: 'assets', inlineStylesheets: 'never', concurrency: 32 },
  // Astro's default drops the space between two inline elements on separate lines.
  compressHTML: true,
  devToolbar: { enabled: false },
  experimental: {
    // Pages whose props didn't change aren't rendered again.
    incrementalBuild: true,
  },
  // The cache is next to Astro's own files, so every checkout has its own.
  cacheDir: '.astro/cache',
  // Unchanged files stay in the output folder; see build/keep.ts.
  vite: { cacheDir: '.astro/vite', build: { emptyOutDir: false } },
})
