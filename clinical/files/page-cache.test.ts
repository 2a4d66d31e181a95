import { expect, test } from 'bun:test'
import { openPageCache } from './page-cache.ts'

const image = new Uint8Array([1, 2, 3])
const of = { object: 'one', page: 1 }

test('a page is rendered once per session, even for two concurrent views', async () => {
  const cache = openPageCache()
  let rendered = 0
  const render = async () => (rendered++, image)
  const views = await Promise.all([0, 1].map(() => cache.get('a', of, render)))
  expect([...views, await cache.get('a', of, render)].map(view => [...view])).toEqual([
    [1, 2, 3],
    [1, 2, 3],
    [1, 2, 3],
  ])
  expect(rendered).toBe(1)
  await cache.get('b', of, render)
  await cache.get('a', { ...of, page: 2 }, render)
  await cache.get('a', { ...of, object: 'two' }, render)
  expect(rendered).toBe(4)
})

test('a failure isn’t cached', async () => {
  const cache = openPageCache()
  const failing = () => Promise.reject(new Error('away'))
  expect(await cache.get('a', of, failing).catch(String)).toBe('Error: away')
  expect([...(await cache.get('a', of, async () => image))]).toEqual([1, 2, 3])
})
