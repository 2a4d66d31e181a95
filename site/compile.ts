// Astro and its bundler, run once for each version of the code and not once for each build: what
// comes out are the pages as functions (`src/renderer.ts`), the style sheet, fonts and scripts. A
// build of the same code with other words starts from what lies there.
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AstroIntegration } from 'astro'
import type * as Renderer from './src/renderer.ts'

const room = import.meta.dir

/** Astro builds its prerenderer's bundle of our entry, and then is given nothing to prerender. */
function rendererInto(folder: string): AstroIntegration {
  const name = 'house-renderer'
  const input = join(room, 'src', 'renderer.ts')
  const configEnvironment = (environment: string) =>
    environment === 'prerender' ? { build: { rolldownOptions: { input } } } : undefined
  return {
    name,
    hooks: {
      'astro:config:setup': ({ updateConfig }) =>
        void updateConfig({ vite: { plugins: [{ name, configEnvironment }] } }),
      'astro:config:done': ({ setAdapter }) =>
        setAdapter({
          name,
          entrypointResolution: 'auto',
          adapterFeatures: { buildOutput: 'static' },
          supportedAstroFeatures: { staticOutput: 'stable', sharpImageService: 'stable' },
        }),
      'astro:build:start': ({ setPrerenderer }) =>
        setPrerenderer({
          name,
          setup: () => rename(join(folder, 'client', '.prerender'), join(folder, 'server')),
          getStaticPaths: () => Promise.resolve([]),
          render: () => Promise.reject(new Error('Nothing is prerendered here.')),
        }),
    },
  }
}

/** The pages as functions, and the folder of what browsers load with them. */
export type Pages = { client: string; renderer(): Promise<typeof Renderer> }

/** What was compiled into this folder before, or is now, in a process of its own. */
export async function compilePages(folder: string): Promise<Pages> {
  const server = join(folder, 'server')
  if (!existsSync(server)) await startCompiling(folder)
  const entry = (await readdir(server)).find(name => name.startsWith('prerender-entry')) ?? ''
  return { client: join(folder, 'client'), renderer: async () => import(join(server, entry)) }
}

async function startCompiling(folder: string): Promise<void> {
  const command = [process.execPath, '--bun', join(room, 'compile.ts'), folder]
  // Astro puts what it makes into the folder that it is told only if it is started above that one.
  const cwd = folder.slice(0, folder.lastIndexOf(join('/', 'node_modules', '/')))
  const child = Bun.spawn(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`Astro could not compile the pages:\n${out}${error}`)
}

if (import.meta.main) {
  const folder = process.argv[2]
  if (folder === undefined) throw new Error('name the folder to compile into')
  const fresh = `${folder}.${process.pid}`
  // Half a second that a build of code that was compiled before does not have to wait.
  const { build } = await import('astro')
  await build({
    root: room,
    outDir: join(fresh, 'client'),
    logLevel: 'warn',
    integrations: [rendererInto(fresh)],
  })
  // Whoever compiled the same meanwhile was as good.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }))
}
