import { writeSync } from 'node:fs'

const held: Uint8Array[] = []
for (let megabytes = 0; megabytes < 2000; megabytes += 50)
  held.push(new Uint8Array(50 * 2 ** 20).fill(1))
writeSync(1, `{"pages":1,"width":1,"height":${held.length}}\nRIFF1234WEBPVP8 `)
