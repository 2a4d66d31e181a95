// coturn, as an operator runs it next to the platform, on this machine only.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { until } from './until.ts'

const program = '/usr/bin/turnserver'
const port = 34_781
const secret = 'a secret of the TURN server of the tests'

/** Settings for the server under test, even if no TURN server runs. */
export const turnSettings = () => ({ TURN_URLS: `turn:127.0.0.1:${port}`, TURN_SECRET: secret })

const isOpen = () =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy())
    socket.on('error', () => resolve(false))
  })

/** Continuous integration installs coturn (.ci/install). */
export const hasTurn = existsSync(program)

export async function startTurn(): Promise<{ stop(): void }> {
  const child: ChildProcess = spawn(
    program,
    [
      '-n --use-auth-secret --realm=example.com --listening-ip=127.0.0.1 --relay-ip=127.0.0.1',
      '--min-port=34800 --max-port=34899 --allow-loopback-peers --no-cli --no-tls --no-dtls',
      `--pidfile=/dev/null --log-file=stdout --listening-port=${port}`,
    ]
      .flatMap(line => line.split(' '))
      .concat(`--static-auth-secret=${secret}`),
    { stdio: 'ignore' },
  )
  await until(isOpen)
  return { stop: () => void child.kill() }
}
