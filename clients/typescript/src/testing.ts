// `@svc/sdk/testing`: helpers for testing programs that use the library.

export { fixtures } from './sandbox/fixtures.ts'
export { mockSvc } from './sandbox/mock.ts'
export { recordEvents } from './sandbox/record-events.ts'
