// Runs the guide to the libraries, which packs both libraries and installs them as a reader does.
import { testGuide } from './guides/test.ts'
import { guides } from './guides/run.ts'

const guide = guides().find(({ slug }) => slug === 'sdks')
if (guide === undefined) throw new Error('content/docs has no guide named sdks.')
testGuide(guide, process.env)
