// What a new password must be. It is guessed as attackers do, by lists of common passwords, words
// and patterns, all of which are on this machine: no part of it is sent anywhere.
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { openOnce } from '#http/open-once.ts'

const characters = { min: 12, max: 1000 } as const
/** Of 0 to 4: safely unguessable, more than 10^8 guesses. */
const scoreMin = 3

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Guesser }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Guesser({ dictionary, graphs: adjacencyGraphs })
}

/** Its lists take a while to load, so the first new password loads them. */
const guesser = openOnce(load)

/** Why a password cannot be chosen. `known`: what others know of the person, such as their name. */
export async function passwordFault(
  password: string,
  known: readonly string[],
): Promise<string | undefined> {
  if (password.length < characters.min) {
    return `Password must have at least ${characters.min} characters.`
  }
  if (password.length > characters.max) {
    return `Password must have at most ${characters.max} characters.`
  }
  const { score } = (await guesser.get()).check(password, [...known])
  if (score >= scoreMin) return undefined
  return 'Password must not be easy to guess. Four words that have nothing to do with each other are good.'
}
