// `@svc/sdk/testing`: for tests of programs that use the library.

export { fixtures } from './sandbox/fixtures.ts'
export { mockSvc } from './sandbox/mock.ts'
export { recordEvents } from './sandbox/record-events.ts'
