import { afterAll, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { superviseWorker } from './worker-supervisor.ts'

const { execPath } = process
afterAll(() => void (process.execPath = execPath))

test('a worker that fails to start is retried later, and the gateway continues', async () => {
  const events: string[] = []
  const log = { request: () => {}, event: (name: string) => void events.push(name), flush() {} }
  // The runtime's file is missing while another version is being installed.
  process.execPath = '/nowhere/bun'
  const worker = superviseWorker({}, log)
  await until(() => events.length > 0)
  expect(worker.pid).toBeUndefined()
  process.execPath = execPath
  await until(() => worker.pid !== undefined)
  await worker.stop()
  expect(events[0]).toBe('worker.exited')
})
