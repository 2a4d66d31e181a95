// `@svc/sdk/testing`: for the tests of programs that use the library.

export { recordEvents } from './sandbox/record-events.ts'
