// What `site/compile.ts` compiles: every page and every prebuilt file of the site, as a function of
// the words that it is given. A build and the preview start from the same compiled code.
import { StaticPaths } from 'astro:static-paths'
import { App } from 'astro/app'
import { createApp } from 'astro/app/entrypoint'
import config from '#content/site.config.ts'
import { everyPage } from './every-page.ts'
import { give as giveTo, type Given } from './given.ts'
import { type Drawing, drawingFile, drawingOf } from './pictures/drawing.ts'
import { twinOf } from './render/twin.ts'

/** An app for each words: it remembers what `getStaticPaths` said, and that is of its words. */
let app = openApp()

function openApp(): App {
  const opened = new App({ ...createApp().manifest, logLevel: 'silent' }, false)
  // Astro would answer a page that fails with its page for errors; here it stops the build.
  opened.renderError = (_request, { response, error, status }) =>
    response === undefined || status === 500
      ? Promise.reject(error instanceof Error ? error : new Error(`A page answered ${status}.`))
      : Promise.resolve(response)
  return opened
}

export { quality } from './every-page.ts'

export function give(words: Given): void {
  giveTo(words)
  app = openApp()
}

export type Address = Awaited<ReturnType<InstanceType<typeof StaticPaths>['getAll']>>[number]

/**
 * What Astro is asked for in a build: every address, with the file of `pages/` that answers it, but
 * for the twins and the pictures, two for every page, which are `twins` and `drawings`.
 */
export async function addresses(): Promise<Address[]> {
  const given = new Set([...twins(), ...drawings()].map(({ file }) => `/${file}`))
  return (await new StaticPaths(app).getAll()).filter(({ pathname }) => !given.has(pathname))
}

/** The markdown of every page, each with the file of a build in which it lies. */
export const twins = (): { file: string; twin: string }[] =>
  everyPage().map(({ path, twin }) => ({ file: twinOf(path).slice(1), twin }))

/** What there is to draw, each with the file of a build in which it lies. */
export const drawings = (): { file: string; drawing: Drawing }[] =>
  everyPage().map(page => ({ file: drawingFile(page), drawing: drawingOf(page) }))

/** The file of a build in which the answer of an address lies. */
export function fileOf({ pathname, route }: Address): string {
  const name = pathname.replace(/^\//, '')
  return route.type === 'page' ? `${name || 'index'}.html` : name
}

export const render = ({ pathname, route }: Address): Promise<Response> =>
  app.render(new Request(new URL(pathname, config.site)), { routeData: route })

/** What stands at an address, if anything does: what a preview asks. */
export async function answerAt(pathname: string): Promise<Response | undefined> {
  for (const { routeData: route } of app.manifest.routes) {
    if (!route.pattern.test(pathname)) continue
    const answer = await render({ pathname, route }).catch(fault => {
      if (fault instanceof Error && fault.name === 'NoMatchingStaticPathFound') return undefined
      throw fault
    })
    if (answer !== undefined) return answer
  }
  return undefined
}
