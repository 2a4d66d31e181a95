import { writeSync } from 'node:fs'

writeSync(
  1,
  '{"pages":1,"width":1,"height":1}\n<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
)
