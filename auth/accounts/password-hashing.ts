// Hashes passwords, which is slow on purpose and takes 64 MB each time. A few passwords are hashed
// simultaneously, and all other requests wait for a turn. Each network, known browser and person
// has its own line, so a flood of sign-ins delays only itself.

import { cpus } from 'node:os'

// Bun's `availableParallelism` is undefined once a library has replaced the global navigator.
const runningMax = Math.max(2, Math.floor(cpus().length / 2))
/** Limits the memory and connections that a flood in one line can use. */
const waitingMax = 200

/** A composed and a decomposed é are the same password, as NIST SP 800-63B requires. */
const normalized = (typed: string) => typed.normalize('NFKC')

export type Turns = {
  /** Whether the line has no room for another request. */
  isFull(line: string): boolean
  take<T>(line: string, work: () => Promise<T>): Promise<T>
}

export function openTurns(running = runningMax, waiting = waitingMax): Turns {
  /** Waiting requests by line. The first line has the next turn. */
  const lines = new Map<string, (() => void)[]>()
  let free = running
  const next = () => {
    const [first] = lines
    if (first === undefined) return void free++
    const [line, starts] = first
    lines.delete(line)
    const start = starts.shift()
    if (starts.length > 0) lines.set(line, starts)
    start?.()
  }
  return {
    isFull: line => (lines.get(line)?.length ?? 0) >= waiting,
    async take(line, work) {
      if (free > 0) free--
      else {
        await new Promise<void>(start => {
          const starts = lines.get(line)
          if (starts === undefined) lines.set(line, [start])
          else starts.push(start)
        })
      }
      // Bun throws synchronously for some passwords, whose turn must end too.
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}

export const passwordTurns = openTurns()

/** `line` belongs to a person known from a link or session, so nobody else can lengthen it. */
export const hashPassword = (password: string, line: string): Promise<string> =>
  passwordTurns.take(line, () => Bun.password.hash(normalized(password), { algorithm: 'argon2id' }))

/** The hash of a random password, with the parameters of `hashPassword`. Computing one takes a
 *  tenth of a gateway's startup time. */
export const hashOfNobody =
  '$argon2id$v=19$m=65536,t=2,p=1$8zMYPNsx3ktxz1uBSFo9JDA5DcrEBj6jRQOeyMlkS5M$XYG7T9x2DCpYoOhdne3ofKM5mSBVDS4XCZEJ8qAbbpk'

export const isPassword = (password: string, hash: string, line: string): Promise<boolean> =>
  passwordTurns.take(line, () => Bun.password.verify(normalized(password), hash))
