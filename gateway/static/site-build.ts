import { existsSync } from 'node:fs'
import path from 'node:path'
import siteConfig from '#content/site.config.ts'
import { now } from '#database/clock.ts'
import { LaunchError } from '#database/launch-error.ts'

/** Only this file imports the builder, by path, because the gateway uses the site build's output
 *  and not its code. */
type SiteBuilder = {
  isBuilt(today: string): Promise<boolean>
  buildSite(say: (line: string) => void, options: { today: string }): Promise<unknown>
}

/** Builds `site/dist`, unless it's up to date with its sources and today's date. */
export async function buildSiteIfChanged(say: (line: string) => void): Promise<void> {
  const builder = path.join(import.meta.dir, '../..', 'site', 'build', 'build.ts')
  if (!existsSync(builder))
    throw new LaunchError(`${builder} is missing, so the checkout is incomplete.`)
  const { isBuilt, buildSite }: SiteBuilder = await import(builder)
  const { timeZone } = siteConfig.booking
  const today = new Date(now()).toLocaleDateString('sv-SE', { timeZone })
  if (!(await isBuilt(today))) await buildSite(say, { today })
}
