// How tests look a caller up: at the door, where it is remembered, and whole where that is shut.

import type { Lane } from '#database/pool.ts'
import { Adrift, openEntrance } from '../guard.ts'
import {
  type Credential,
  findCredential,
  knock,
  type Presented,
  type Remembered,
} from '../principal.ts'

export async function lookFor(
  lane: Lane,
  pepper: string,
  presented: Presented,
  remembered?: Remembered,
): Promise<Credential | null> {
  const asked = knock(pepper, presented)
  const before = remembered?.get(asked.name)
  if (before) {
    try {
      await openEntrance(lane, before).through(door => door)
      return before.credential
    } catch (failure) {
      if (!(failure instanceof Adrift)) throw failure
    }
  }
  return (await findCredential(lane, asked, remembered))?.credential ?? null
}
