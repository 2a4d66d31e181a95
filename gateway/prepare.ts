// What must be in the database before the door opens.
import type { House, SandboxAccess } from './house.ts'

/** Called at every start, after the migrations; answers the sandbox to print, once there is one. */
export async function prepareHouse(_house: House): Promise<SandboxAccess | undefined> {
  return undefined
}
