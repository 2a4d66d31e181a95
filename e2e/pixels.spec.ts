import { expect, test } from '@playwright/test'
import sharp from 'sharp'
import { compare } from './pixels.ts'

const page = (width: number, height: number, box: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><rect width="10" height="10" fill="${box}"/></svg>`,
    ),
  )
    .png()
    .toBuffer()

test('compare: counts the pixels that visibly differ', async () => {
  const green = await page(100, 50, '#1f5c42')
  expect(await compare(green, await page(100, 50, '#1f5c42'))).toEqual({
    percent: 0,
    beside: undefined,
  })
  expect((await compare(green, await page(100, 50, '#205d43'))).percent).toBe(0)
  const red = await compare(green, await page(100, 50, '#b00020'))
  expect(red.percent).toBe(2)
  const { width, height } = await sharp(red.beside).metadata()
  expect([width, height]).toEqual([224, 50])
  expect((await compare(green, await page(100, 100, '#1f5c42'))).percent).toBe(50)
})
