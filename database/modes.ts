import { type LaneOptions, type Lanes, openLanes } from './pool.ts'

/** Each a schema, in which every file of a plane runs once. */
export const planes = ['test', 'live'] as const
export type Plane = (typeof planes)[number]

type PlanesOptions = Omit<LaneOptions, 'url' | 'path'> & { urls: Readonly<Record<Plane, string>> }

/** Connections to each plane, under its own role; `name` and the plane are what they are called. */
export function openPlanes({ urls, name, ...options }: PlanesOptions): Record<Plane, Lanes> {
  const lanes = (plane: Plane) =>
    openLanes({ ...options, url: urls[plane], name: `${name} ${plane}`, path: `${plane}, public` })
  return { test: lanes('test'), live: lanes('live') }
}
