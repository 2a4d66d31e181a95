// Denies this process every system call that computing doesn't need. It then can't open files or
// sockets or start processes; it can only read its input and write its output. The filter is
// seccomp's (seccomp(2)); it needs no privilege, applies to every thread and can't be removed.

import { dlopen, ptr } from 'bun:ffi'
import { readFileSync } from 'node:fs'

/** Numbers of the system calls that stay allowed, on x86-64 and on ARM64 (null if it has none). */
const allowed: Readonly<Record<string, readonly [x64: number, arm64: number | null]>> = {
  read: [0, 63],
  write: [1, 64],
  close: [3, 57],
  fstat: [5, 80],
  poll: [7, null],
  lseek: [8, 62],
  mmap: [9, 222],
  mprotect: [10, 226],
  munmap: [11, 215],
  brk: [12, 214],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  readv: [19, 65],
  writev: [20, 66],
  sched_yield: [24, 124],
  mremap: [25, 216],
  madvise: [28, 233],
  nanosleep: [35, 101],
  getpid: [39, 172],
  exit: [60, 93],
  uname: [63, 160],
  getrusage: [98, 165],
  sysinfo: [99, 179],
  sigaltstack: [131, 132],
  gettid: [186, 178],
  futex: [202, 98],
  sched_getaffinity: [204, 123],
  restart_syscall: [219, 128],
  clock_gettime: [228, 113],
  clock_nanosleep: [230, 115],
  exit_group: [231, 94],
  epoll_wait: [232, null],
  epoll_ctl: [233, 21],
  ppoll: [271, 73],
  set_robust_list: [273, 99],
  epoll_pwait: [281, 22],
  timerfd_settime: [286, 86],
  eventfd2: [290, 19],
  getrandom: [318, 278],
  membarrier: [324, 283],
  rseq: [334, 293],
  epoll_pwait2: [441, 441],
}

const machines = {
  x64: { at: 0, audit: 0xc000003e, seccomp: 317, clone: 56, clone3: 435, tgkill: 234 },
  arm64: { at: 1, audit: 0xc00000b7, seccomp: 277, clone: 220, clone3: 435, tgkill: 131 },
} as const
type Machine = (typeof machines)[keyof typeof machines]

/** Classic BPF instructions (linux/bpf_common.h) and a filter's return values (linux/seccomp.h). */
const bpf = { load: 0x20, equal: 0x15, atLeast: 0x35, hasBits: 0x45, answer: 0x06 } as const
const verdicts = { allow: 0x7fff0000, error: 0x00050000, kill: 0x80000000 } as const
const errors = { notPermitted: 1, notImplemented: 38 } as const
/** Offsets in `struct seccomp_data`. */
const places = { number: 0, machine: 4, argument: 16 } as const
const cloneThread = 0x00010000

type Step = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

const answer = (verdict: number): Step => [bpf.answer, 0, 0, verdict]
const refuse = (error: number) => answer(verdicts.error | error)
const load = (place: number): Step => [bpf.load, 0, 0, place]
/** Applies the next `count` steps only to this system call. */
const onlyFor = (number: number, count: number): Step => [bpf.equal, 0, count, number]

/** Returns the filter, which refuses every unlisted system call with an error that libraries
 *  handle. */
function filterOf(machine: Machine, ownId: number): Step[] {
  const listed = Object.values(allowed).flatMap(numbers => numbers[machine.at] ?? [])
  return [
    load(places.machine),
    [bpf.equal, 1, 0, machine.audit],
    answer(verdicts.kill),
    load(places.number),
    ...listed.flatMap(number => [onlyFor(number, 1), answer(verdicts.allow)]),
    // Allows threads, never processes. A filter can't see clone3's arguments, so clone3 is reported
    // as nonexistent, and the C library falls back to clone.
    onlyFor(machine.clone3, 1),
    refuse(errors.notImplemented),
    onlyFor(machine.clone, 3),
    load(places.argument),
    [bpf.hasBits, 0, 1, cloneThread],
    answer(verdicts.allow),
    load(places.number),
    // The garbage collector stops its own process's threads with signals.
    onlyFor(machine.tgkill, 3),
    load(places.argument),
    [bpf.equal, 0, 1, ownId],
    answer(verdicts.allow),
    refuse(errors.notPermitted),
  ]
}

function encoded(steps: readonly Step[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(steps.length * 8))
  for (const [at, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    bytes.setUint16(at * 8, code, true)
    bytes.setUint8(at * 8 + 2, ifTrue)
    bytes.setUint8(at * 8 + 3, ifFalse)
    bytes.setUint32(at * 8 + 4, value >>> 0, true)
  }
  return new Uint8Array(bytes.buffer)
}

const noNewPrivileges = 38
const setFilter = 1
const everyThread = 1

/** Seals this process. Throws if the system can't do that; the process must then read nothing. */
export function seal(): void {
  const machine = process.platform === 'linux' ? machines[process.arch as 'x64'] : undefined
  if (machine === undefined) throw new Error('Documents can be rendered only on Linux.')
  const libc = dlopen('libc.so.6', {
    prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
    syscall: { args: ['i64', 'u64', 'u64', 'ptr'], returns: 'i64' },
  })
  const steps = filterOf(machine, process.pid)
  const filter = encoded(steps)
  const program = new DataView(new ArrayBuffer(16))
  program.setUint16(0, steps.length, true)
  program.setBigUint64(8, BigInt(ptr(filter)), true)
  const failed =
    libc.symbols.prctl(noNewPrivileges, 1n, 0n, 0n, 0n) !== 0 ||
    Number(libc.symbols.syscall(machine.seccomp, setFilter, everyThread, ptr(program))) !== 0
  if (failed || canOpen()) throw new Error('The process could not be sealed.')
}

function canOpen(): boolean {
  try {
    readFileSync('/proc/self/status')
    return true
  } catch {
    return false
  }
}
