// The viewer with friendly and hostile documents, each in a real process. Some of these documents
// would be refused at upload, before the viewer, because of their first or last bytes
// (clinical/viewer/sniff.ts).

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import sharp from 'sharp'
import { until } from '#http/testing/until.ts'
import type { Mime } from './sniff.ts'
import { blackPng, heic, pdfOf, phonePhoto, svg } from './testing/documents.ts'
import { pngChunk, rotatedPdf } from './testing/documents.ts'
import { heicOf } from './testing/heic.ts'
import { openViewer } from './viewer.ts'

const viewer = openViewer()

async function shown(bytes: Uint8Array, mime: Mime, page = 1) {
  const rendered = await viewer.render(bytes, { mime, page })
  if ('finding' in rendered) throw new Error(`not shown: ${rendered.finding}`)
  return rendered
}

const pixelAt = async (image: Uint8Array, x: number, y: number) => {
  const { data, info } = await sharp(image)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
}

const turned = () =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: '#a03020' } })

const isReddish = ([red = 0, green = 0, blue = 0]: number[]) => red > 120 && green < 90 && blue < 90

describe('what is shown', () => {
  test('each page of a PDF is its own image', async () => {
    const pdf = await pdfOf(3)
    const scale = 150 / 72
    for (const page of [1, 3]) {
      const found = await shown(pdf, 'application/pdf', page)
      expect([found.pages, found.width, found.height]).toEqual([3, 1275, 1650])
      const bar = (72 + 40 * page + 10) * scale
      expect(isReddish(await pixelAt(found.image, 300, Math.round(bar)))).toBe(true)
      expect(await pixelAt(found.image, 5, 5)).toEqual([255, 255, 255])
    }
  })

  test('a photo is rotated upright, scaled down, and loses everything else in its file', async () => {
    const found = await shown(await phonePhoto(), 'image/jpeg')
    expect([found.pages, found.width, found.height]).toEqual([1, 200, 300])
    expect(Buffer.from(found.image).includes('of-the-exif')).toBe(false)
    const { exif, icc, xmp, format } = await sharp(found.image).metadata()
    expect([exif, icc, xmp, format]).toEqual([undefined, undefined, undefined, 'webp'])
    const large = await shown(blackPng(4000, 3000), 'image/png')
    expect([large.width, large.height]).toEqual([1800, 1350])
  })

  test('a HEIC is an image like any other', async () => {
    const found = await shown(heic, 'image/heic')
    expect([found.width, found.height]).toEqual([64, 48])
    expect(isReddish(await pixelAt(found.image, 50, 40))).toBe(true)
  })

  test('a HEIC’s primary image comes first, and the others follow', async () => {
    const images = [
      { width: 60, height: 20 },
      { width: 20, height: 10, thumbnailOf: 1 },
      { width: 50, height: 30, turns: 1 },
      { width: 40, height: 30 },
    ]
    for (const [page, size] of [
      [1, '30 × 50'],
      [2, '60 × 20'],
      [3, '40 × 30'],
    ] as const) {
      const found = await shown(heicOf(images, 3), 'image/heic', page)
      expect([found.pages, `${found.width} × ${found.height}`]).toEqual([3, size])
    }
  })

  test.each([
    ['a JPEG', 'image/jpeg', () => turned().jpeg()],
    ['a PNG', 'image/png', () => turned().png()],
  ] as const)('%s is rotated as its metadata says', async (_, mime, encoded) => {
    const found = await shown(await encoded().withMetadata({ orientation: 6 }).toBuffer(), mime)
    expect([found.width, found.height]).toEqual([20, 30])
  })

  test('a PDF is rotated as its page specifies, and shows the page rather than its thumbnail', async () => {
    const found = await shown(rotatedPdf(), 'application/pdf')
    expect([found.pages, found.width, found.height]).toEqual([1, 1650, 1275])
  })

  test('an animated PNG shows its still picture', async () => {
    const still = await turned().png().toBuffer()
    const frames = pngChunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))
    const animated = Buffer.concat([still.subarray(0, 33), frames, still.subarray(33)])
    const found = await shown(animated, 'image/png')
    expect([found.pages, found.width, found.height]).toEqual([1, 30, 20])
    expect(isReddish(await pixelAt(found.image, 15, 10))).toBe(true)
  })

  test('bytes after a photo in its file aren’t in the image', async () => {
    const tail = Buffer.from('PK\u0003\u0004 of-the-archive')
    const found = await shown(Buffer.concat([await phonePhoto(), tail]), 'image/jpeg')
    expect(Buffer.from(found.image).includes('of-the-archive')).toBe(false)
  })
})

describe('what is never shown', () => {
  test.each([
    [
      'a PDF with a password',
      async () => pdfOf(1, { userPassword: 'x' }),
      'application/pdf',
      'password',
    ],
    ['a PDF of 201 pages', async () => pdfOf(201), 'application/pdf', 'too_many_pages'],
    ['half a PDF', async () => (await pdfOf(1)).subarray(0, 300), 'application/pdf', 'damaged'],
    ['half a photo', async () => (await phonePhoto()).subarray(0, 400), 'image/jpeg', 'damaged'],
    ['half a HEIC', async () => heic.subarray(0, 500), 'image/heic', 'damaged'],
    [
      'a picture of 12,001 pixels a side',
      async () => blackPng(12_001, 1),
      'image/png',
      'too_large',
    ],
    [
      'a picture of 102,000,000 pixels',
      async () => blackPng(12_000, 8500),
      'image/png',
      'too_large',
    ],
    [
      'a picture of 60,000 × 60,000',
      async () => blackPng(60_000, 60_000),
      'image/png',
      'too_large',
    ],
    ['an SVG as a PNG', async () => svg, 'image/png', 'damaged'],
    ['an SVG as a JPEG', async () => svg, 'image/jpeg', 'damaged'],
    ['a photo as a PDF', async () => phonePhoto(), 'application/pdf', 'damaged'],
    ['a PDF as a photo', async () => pdfOf(1), 'image/jpeg', 'damaged'],
    ['nothing', async () => new Uint8Array(), 'image/png', 'damaged'],
  ] as const)('%s', async (_, make, mime, finding) => {
    expect(await viewer.render(await make(), { mime, page: 1 })).toEqual({ finding })
  })

  test('a picture of 12,000 × 8,300 pixels is within the limits', async () => {
    const found = await shown(blackPng(12_000, 8300), 'image/png')
    expect([found.width, found.height]).toEqual([1800, 1245])
  })
})

describe('the process', () => {
  let server: ReturnType<typeof Bun.serve>
  beforeAll(() => {
    server = Bun.serve({ port: 0, fetch: () => new Response() })
  })
  afterAll(() => server.stop(true))

  test('can compute, but reaches no file, process, network or secret', async () => {
    const probe = path.join(import.meta.dir, 'testing', 'probe.ts')
    const free = Bun.spawnSync([process.execPath, probe, 'unsealed', String(server.port)], {
      env: { KEY_PEPPER: 'x' },
      stdin: Buffer.from('x'),
    })
    expect(free.stderr.toString().split(', ')).toHaveLength(9)
    const page = server.port ?? 0
    const probing = openViewer({ script: probe })
    await expect(probing.render(svg, { mime: 'image/png', page })).rejects.toThrow(/^compute$/)
  })

  test('the rendering process is sealed before it reads anything', async () => {
    const script = path.join(import.meta.dir, 'process.ts')
    const child = Bun.spawn([process.execPath, script, 'image/heic', '1'], { stdin: 'pipe' })
    const isSealed = async () =>
      /^Seccomp:\s+2$/m.test(await Bun.file(`/proc/${child.pid}/status`).text())
    await until(isSealed)
    await child.stdin.write(heic)
    await child.stdin.end()
    expect(await new Response(child.stdout).text()).toStartWith(
      '{"pages":1,"width":64,"height":48}',
    )
    expect(await child.exited).toBe(0)
  })

  test('pages beyond the waiting limit are refused immediately, as unavailable', async () => {
    const few = openViewer({ atOnceMax: 1, waitingMax: 1 })
    const photo = await phonePhoto()
    const calls = await Promise.allSettled(
      Array.from({ length: 3 }, () => few.render(photo, { mime: 'image/jpeg', page: 1 })),
    )
    expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(await few.render(photo, { mime: 'image/jpeg', page: 1 })).toMatchObject({ width: 200 })
  })
})
