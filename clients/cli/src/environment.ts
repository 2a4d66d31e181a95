// What the program takes from its process: variables, streams, time and chance. Other files receive
// it as arguments, so that nothing else depends on the machine.

import { randomUUID } from 'node:crypto'
import os from 'node:os'

export type Environment = Readonly<Record<string, string | undefined>>

/** A variable that is empty counts as one that is not set. */
export const environment: Environment = Object.fromEntries(
  Object.entries(process.env).filter(([, value]) => value !== ''),
)
export const home = os.homedir()
export const { platform } = process

export const now = (): number => Date.now()
export const chance = (): number => Math.random()
export const newKey = (): string => `svccli_${randomUUID()}`

const isSet = (value: string | undefined) => value !== undefined && value !== '' && value !== '0'

/** In a pipeline of CI nothing is asked and nothing moves, whatever the stream is. */
export const isCI = isSet(environment['CI'])
export const isTerminal = (stream: { isTTY?: boolean }): boolean => stream.isTTY === true

/** The columns of the terminal. Where there is none, a line of data has no end. */
export const columnsOf = (
  stream: { isTTY?: boolean; columns?: number },
  otherwise = Number.POSITIVE_INFINITY,
): number => (isTerminal(stream) && stream.columns ? stream.columns : otherwise)

export async function readStdin(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts).toString('utf8')
}
