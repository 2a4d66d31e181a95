// The portal's stylesheet: the theme, the frame, and the parts that pages share.
import { frame } from '#http/html/style-frame.ts'
import { parts } from '#http/html/style-parts.ts'
import { theme } from '#http/html/theme.ts'
import { charts } from './style-charts.ts'
import { pages } from './style-pages.ts'

export const style = [theme, frame, parts, charts, pages].join('\n')
