import { build } from 'astro'

/** Renders the site into the folder named on the command line; `site/build.ts` calls it. */
const outDir = process.argv[2]
if (outDir === undefined) throw new Error('name the folder to build into')
await build({ root: import.meta.dir, outDir, logLevel: 'warn' })
