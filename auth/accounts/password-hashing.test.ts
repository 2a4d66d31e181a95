// Tests the order in which passwords are hashed, and which Unicode forms count as one password.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { hashOfNobody, hashPassword, isPassword, openTurns } from './password-hashing.ts'

test('turns: a flooded line delays only itself, and others wait only for their turn', async () => {
  const turns = openTurns(1, 50)
  const order: string[] = []
  const take = (line: string) => turns.take(line, async () => void order.push(line))
  const all = [...Array.from({ length: 50 }, () => take('flood')), take('ada'), take('ben')]
  await Promise.all(all)
  expect(order.slice(0, 4)).toEqual(['flood', 'flood', 'ada', 'ben'])
  expect(order).toHaveLength(52)
})

test('turns: the number running at once is limited, even after a failure; a full line is reported', async () => {
  const turns = openTurns(2, 3)
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    throw new Error('no')
  }
  const all = Array.from({ length: 5 }, () => turns.take('one', work).catch(() => 'failed'))
  expect([turns.isFull('one'), turns.isFull('two')]).toEqual([true, false])
  expect(await Promise.all(all)).toEqual(Array(5).fill('failed'))
  expect([most, turns.isFull('one')]).toEqual([2, false])
  expect(await turns.take('one', async () => 'works')).toBe('works')
})

test('turns: work that throws synchronously ends its turn', async () => {
  const turns = openTurns(1)
  const thrown = turns.take('one', () => {
    throw new Error('no')
  })
  await expect(thrown).rejects.toThrow('no')
  expect(await turns.take('one', async () => 'works')).toBe('works')
})

test('turns: hashing works after a library, such as one for PDFs, replaces the navigator', async () => {
  const file = path.join(import.meta.dir, 'password-hashing.ts')
  const code = `
    globalThis.navigator = { language: 'en-US', platform: '', userAgent: '' }
    const { hashPassword } = await import(${JSON.stringify(file)})
    console.log(await hashPassword('four unrelated words', 'test'))`
  const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe' })
  expect(await new Response(child.stdout).text()).toStartWith('$argon2id$')
})

test('composed and decomposed letters are equal, as are full-width and plain digits', async () => {
  const hash = await hashPassword('caf\u00e9 con leche 1', 'test')
  expect(await isPassword('cafe\u0301 con leche \uff11', hash, 'test')).toBe(true)
  expect(await isPassword('cafe con leche 1', hash, 'test')).toBe(false)
})

test('nobody: the hash has the parameters of a new one, so an unknown address takes as long', async () => {
  const parametersOf = (hash: string) => hash.split('$').slice(0, 4)
  const lengthsOf = (hash: string) => hash.split('$').map(part => part.length)
  const made = await hashPassword('velvet canyon otter lantern', 'test')
  expect(parametersOf(hashOfNobody)).toEqual(parametersOf(made))
  expect(lengthsOf(hashOfNobody)).toEqual(lengthsOf(made))
  expect(await isPassword('velvet canyon otter lantern', hashOfNobody, 'test')).toBe(false)
})
