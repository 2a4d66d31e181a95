import { build } from 'astro'

/**
 * Renders the site into the first folder named on the command line; the second, where the build
 * before lies, is read by `src/render/changes-before.ts`, and the third, which holds what earlier
 * builds made, by `src/render/kept.ts`. `site/build.ts` calls it.
 */
const outDir = process.argv[2]
if (outDir === undefined) throw new Error('name the folder to build into')
await build({ root: import.meta.dir, outDir, logLevel: 'warn' })
