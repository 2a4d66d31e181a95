import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import config from '../content/site.config.ts'

export default defineConfig({
  site: config.site,
  trailingSlash: 'never',
  // Beside the packages, so that the room holds nothing but sources and its output.
  cacheDir: '../node_modules/.astro',
  // A page is blog/<slug>.html, so every address is clean and nothing redirects to a folder.
  build: { format: 'file', assets: 'assets', inlineStylesheets: 'never' },
  // Astro's own default drops the space between two inline elements on two lines.
  compressHTML: true,
  devToolbar: { enabled: false },
  // One theme of custom properties, which tokens.css gives a light and a dark value each.
  markdown: { shikiConfig: { theme: 'css-variables' } },
  vite: { cacheDir: '../node_modules/.vite', plugins: [tailwindcss()] },
})
