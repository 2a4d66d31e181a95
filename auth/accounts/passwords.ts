// What a new password must be. It is guessed as attackers do, by lists of common passwords, words
// and patterns, all of which are on this machine: no part of it is sent anywhere.
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const characters = { min: 12, max: 1000 } as const
/** Of 0 to 4: safely unguessable, more than 10^8 guesses. */
const scoreMin = 3

let guesser: ZxcvbnFactory | undefined
/** Its lists take a while to load. */
const loaded = () => (guesser ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }))

/** Why a password cannot be chosen. `known`: what others know of the person, such as their name. */
export function passwordFault(password: string, known: readonly string[]): string | undefined {
  if (password.length < characters.min) {
    return `Password must have at least ${characters.min} characters.`
  }
  if (password.length > characters.max) {
    return `Password must have at most ${characters.max} characters.`
  }
  const { score } = loaded().check(password, [...known])
  if (score >= scoreMin) return undefined
  return 'Password must not be easy to guess. Four words that have nothing to do with each other are good.'
}
