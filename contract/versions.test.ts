import { expect, test } from 'bun:test'
import { type SiteVersions, siteVersions, sunsetDaysMin } from './versions.ts'

/** Versions must be newest first, and all but the newest must end, no earlier than promised. */
function faults(versions: SiteVersions): string[] {
  return versions.flatMap(({ version, ends }, at) => {
    const newer = versions[at - 1]
    const date = /^\d{4}-\d\d-\d\d$/.test(version) ? [] : [`${version} is not a date`]
    if (newer === undefined)
      return ends === undefined ? date : [`${version} is the newest but has an end`]
    if (newer.version <= version) return [`${version} is listed after an older one`]
    if (ends === undefined) return [`${version} has no end`]
    const days = (Date.parse(ends.sunset) - Date.parse(ends.deprecated)) / 86_400_000
    return days >= sunsetDaysMin ? date : [`${version} is served for ${days} days`]
  })
}

test('site API versions: each is served for the promised time', () => {
  expect(faults(siteVersions)).toEqual([])
})

test('site API versions: a version that breaks the promise is reported', () => {
  const now = { version: '2026-08-23' }
  const ends = { deprecated: '2026-08-23T00:00:00Z', sunset: '2026-11-21T00:00:00Z' }
  expect(faults([now, { version: '2026-01-15', ends }])).toEqual([])
  expect(faults([now, { version: '2026-01-15' }])).toHaveLength(1)
  expect(faults([now, { version: '2026-09-01', ends }])).toHaveLength(1)
  expect(faults([{ ...now, ends }])).toHaveLength(1)
  const early = { ...ends, sunset: '2026-11-20T00:00:00Z' }
  expect(faults([now, { version: '2026-01-15', ends: early }])).toHaveLength(1)
})
