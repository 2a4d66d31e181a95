// Whether the pages of the portal show every time in the reader's zone, and name it.
import type { Page } from '@playwright/test'

/** New York is the clinics'. */
export const zones = ['America/New_York', 'America/Los_Angeles', 'Asia/Kolkata'] as const

const changes = { created_at: '2026-11-01T05:30:00Z', updated_at: '2026-11-01T06:30:00Z' }

/** The newest case of a sandbox was filed and changed at the same local time, an hour apart. */
export const twiceAtHalfPastOne = `
  update test.cases set created_at = '${changes.created_at}', updated_at = '${changes.updated_at}'
   where id = (select max(id) from test.cases)`

const partOf = (zone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value

/** The moment with its zone's name. */
const textIn = (zone: string, moment: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'medium', timeStyle: 'long' })
    .format(new Date(moment))
    .replaceAll(/\s/g, ' ')

/** Opens every page; each time must say the moment in the zone, which the page names once. */
export async function faultsIn(
  page: Page,
  zone: string,
  links: readonly string[],
): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTimezoneOverride', { timezoneId: zone })
  const faults: string[] = []
  const atChange = new Map<string, string>()
  let count = 0
  for (const link of links) {
    await page.goto(link)
    const times = await page
      .locator('time[datetime]')
      .evaluateAll(all =>
        all.map(
          one =>
            [
              one.getAttribute('datetime') ?? '',
              one.getAttribute('title') ?? '',
              one.textContent,
            ] as const,
        ),
      )
    for (const [moment, title, text] of times) {
      const [shown = ''] = title.replaceAll(/[^\S\n]/g, ' ').split('\n')
      if (shown !== textIn(zone, moment)) faults.push(`${link}: ${moment} as ${shown}`)
      if (Object.values(changes).includes(moment.replace('.000', ''))) atChange.set(moment, text)
    }
    count += times.length
    const name = (await page.locator('[data-zone]').textContent())?.trim()
    if (name !== `Times are in ${partOf(zone)}.`) faults.push(`${link}: ${name}`)
  }
  if (count === 0) faults.push('no page has a time')
  if (atChange.size === 0) faults.push('no page has a time of that night')
  if (new Set(atChange.values()).size < atChange.size) faults.push('two moments read the same')
  await session.send('Emulation.setTimezoneOverride', { timezoneId: '' })
  return faults
}
