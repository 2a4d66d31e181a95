// What `site/compile.ts` compiles: every page and every prebuilt file of the site, as a function of
// the words that it is given. A build and the preview start from the same compiled code.
import { StaticPaths } from 'astro:static-paths'
import { App } from 'astro/app'
import { createApp } from 'astro/app/entrypoint'
import config from '#content/site.config.ts'
import { give as giveTo, type Given } from './given.ts'

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

export function give(words: Given): void {
  giveTo(words)
  app = openApp()
}

export type Address = Awaited<ReturnType<InstanceType<typeof StaticPaths>['getAll']>>[number]

/** Every address of the site, each with the file of `pages/` that answers it. */
export const addresses = (): Promise<Address[]> => new StaticPaths(app).getAll()

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
