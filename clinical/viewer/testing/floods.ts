import { writeSync } from 'node:fs'

const head = Buffer.from('{"pages":1,"width":1,"height":1}\nRIFF1234WEBPVP8 ')
for (let at = 0; at < head.length;) at += writeSync(1, head, at)
for (let megabytes = 0; megabytes < 64; megabytes++) writeSync(1, new Uint8Array(2 ** 20))
