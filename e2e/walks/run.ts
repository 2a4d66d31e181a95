// Runs a walk's steps in sequence, until one fails.
import type { ScenarioResult } from '../scenarios/run.ts'
import { clinicStaff } from './clinic-staff.ts'
import { goLive } from './go-live.ts'
import type { Walk, World } from './world.ts'

export const walks: readonly Walk[] = [goLive, clinicStaff]

export const findWalk = (name: string): Walk | undefined => walks.find(({ id }) => id === name)

export async function runWalk(
  walk: Walk,
  world: World,
  tell: (result: ScenarioResult) => void,
): Promise<void> {
  for (const [name, run] of walk.steps()) {
    const began = performance.now()
    const faults: string[] = []
    try {
      await run(world)
    } catch (failure) {
      faults.push(failure instanceof Error ? failure.message : String(failure))
    }
    tell({ name, faults, milliseconds: performance.now() - began })
    if (faults.length > 0) return
  }
}
