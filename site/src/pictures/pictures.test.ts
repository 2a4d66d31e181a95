import { expect, test } from 'bun:test'
import sharp from 'sharp'
import { picture } from './picture.ts'
import { faces } from './type.ts'

const drawn = (title: string) => picture({ kind: 'article', path: '/blog/x', title })

test('pictures: a PNG of the size in the page metadata', async () => {
  const { format, width, height } = await sharp(await drawn('A title to draw')).metadata()
  expect({ format, width, height }).toEqual({ format: 'png', width: 1200, height: 630 })
})

test('pictures: identical pages produce identical bytes', async () => {
  const first = await drawn('A title to draw')
  const others = await Promise.all(['Another', 'Façade, naïve – and “quoted”'].map(drawn))
  expect(await drawn('A title to draw')).toEqual(first)
  expect(others.every(other => !Buffer.from(other).equals(first))).toBe(true)
})

test('pictures: a long title is smaller and stays inside the edge', async () => {
  const title = 'A title of sixty-five characters, which is the longest that is allowed'
  const { data, info } = await sharp(await drawn(title))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const paper = data.subarray(20 * info.channels, 20 * info.channels + 3)
  const last = info.width - 30
  for (let row = 0; row < info.height; row++) {
    const at = (row * info.width + last) * info.channels
    expect(data.subarray(at, at + 3)).toEqual(paper)
  }
})

test.each(['Łódź', 'Ωμέγα', 'Привет', 'Nguyễn', '李'])(
  'pictures: %p has a glyph for each letter',
  text => {
    for (const face of Object.values(faces)) {
      for (const { id, advanceWidth, outline } of face.glyphsForString(text)) {
        expect([id > 0, advanceWidth > 0, outline().length > 10]).toEqual([true, true, true])
      }
    }
  },
)
