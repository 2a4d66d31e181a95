// Everything that the program reads from its process: variables, streams, time and randomness.
// Other files receive these as arguments, so only this file depends on the machine.

import { randomUUID } from 'node:crypto'
import { fstatSync, writeSync } from 'node:fs'
import os from 'node:os'
import { exitCodes } from './errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Trims this program's variables, as the libraries do, because an .env file may have carriage
 *  returns. */
const read = (name: string, value = '') => (name.startsWith('SVC_') ? value.trim() : value)

/** An empty variable counts as unset. */
export const environment: Environment = Object.fromEntries(
  Object.entries(process.env)
    .map(([name, value]) => [name, read(name, value)] as const)
    .filter(([, value]) => value !== ''),
)
export const home = os.homedir()
export const { platform } = process

/**
 * The runtime for our other programs: the current runtime, or the Node on the PATH for a
 * single-file executable, which can't run other programs.
 */
export const nodeProgram = 'svcFiles' in globalThis ? 'node' : process.execPath

export const now = (): number => Date.now()
export const chance = (): number => Math.random()
export const newKey = (): string => `svccli_${randomUUID()}`

const isSet = (value: string | undefined) => value !== undefined && value !== '' && value !== '0'

/** In CI there are no prompts and no animations, even on a terminal. */
export const isCI = isSet(environment['CI'])
export const isTerminal = (stream: { isTTY?: boolean }): boolean => stream.isTTY === true

/** The terminal's columns. Without a terminal, lines have no maximum length. */
export const columnsOf = (
  stream: { isTTY?: boolean; columns?: number },
  otherwise = Number.POSITIVE_INFINITY,
): number => (isTerminal(stream) && stream.columns ? stream.columns : otherwise)

/** Reports lost output, as on a full disk, and exits, so a script doesn't use half a file. */
export function outputFailed({ code, message }: NodeJS.ErrnoException): never {
  const reasons: Readonly<Record<string, string>> = {
    ENOSPC: 'no space left on the device',
    EDQUOT: 'the disk quota is used up',
    EFBIG: 'the file would be too large',
  }
  const reason = reasons[code ?? ''] ?? message
  process.stderr.write(`Error: couldn't write to standard output: ${reason} (${code})\n`)
  process.exit(exitCodes.failed)
}

function isFile(): boolean {
  try {
    const found = fstatSync(1)
    return !isTerminal(process.stdout) && !found.isFIFO() && !found.isSocket()
  } catch {
    return false
  }
}

/** On exit, Bun's stream loses bytes that the pipe hasn't accepted yet. */
const isBun = process.versions['bun'] !== undefined

/** Returns the number of bytes accepted, which is 0 while the pipe is full. */
function taken(bytes: Buffer, at: number): number {
  try {
    return writeSync(1, bytes, at)
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    if (failure.code === 'EPIPE') process.exit(exitCodes.done)
    if (failure.code !== 'EAGAIN') outputFailed(failure)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    return 0
  }
}

/** Writes the whole text. On a full disk, Node's stream writes part of it without an error. */
export function writeOut(text: string): void {
  if (!isBun && !isFile()) return void process.stdout.write(text)
  const bytes = Buffer.from(text)
  let at = 0
  while (at < bytes.length) at += taken(bytes, at)
}

export async function readStdin(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts).toString('utf8')
}
