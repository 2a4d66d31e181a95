import { drawFigures } from '../figures/figures.ts'

/**
 * Finishes what the markdown engine made: drawings in place, tables that scroll inside themselves, and
 * code coloured by class, so that the site needs no inline style and a strict policy can refuse them.
 */
export function finishHtml(html: string): string {
  return drawFigures(html)
    .replace(/<table>/g, '<div class="table" tabindex="0" role="region" aria-label="Table"><table>')
    .replace(/<\/table>/g, '</table></div>')
    .replace(/<pre class="astro-code[^"]*" style="[^"]*"/g, '<pre class="code"')
    .replace(/<span style="color:var\(--astro-code-foreground\)">([^<]*)<\/span>/g, '$1')
    .replace(/style="color:var\(--astro-code-token-([a-z-]+)\)"/g, 'class="t-$1"')
    .replace(/<a href="(https:[^"]+)"/g, '<a rel="noopener" href="$1"')
}
