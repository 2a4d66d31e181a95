import type { Mode } from '#contract/operation.ts'
import { type LaneOptions, openLanes } from '#database/lanes.ts'
import type { Planes } from './planes.ts'

type PlanesOptions = Omit<LaneOptions, 'url' | 'path'> & { urls: Readonly<Record<Mode, string>> }

/** Connections to each plane, under its own role; `name` and the mode are what they are called. */
export function openPlanes({ urls, name, ...options }: PlanesOptions): Planes {
  const lanes = (mode: Mode) =>
    openLanes({ ...options, url: urls[mode], name: `${name} ${mode}`, path: `${mode}, public` })
  return { test: lanes('test'), live: lanes('live') }
}
