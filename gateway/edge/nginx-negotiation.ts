// `Accept` negotiation in nginx configuration language.

/** Matches a digit that is higher than the digit at the same position after the colon. */
const higherDigit = (common: string) =>
  Array.from({ length: 9 }, (_, at) => at + 1)
    .map(digit => `${digit}[\\d.]*:\\k<${common}>[0-${digit - 1}]`)
    .join('|')

/** Whether JSON has a greater weight than every other type. */
function goneForm(): string {
  const others = ['html_named', 'xhtml_named', 'markdown_weight']
  const pairs = ['json_named', 'problem_named'].flatMap(type => others.map(other => [type, other]))
  const greater = ([type, other]: string[], at: number) =>
    [
      `  map "$${type}:$${other}" $over_${at} {`,
      '    default 0;',
      `    "~^(?<g${at}>[\\d.]*)(?:${higherDigit(`g${at}`)})" 1;`,
      `    "~^(?<h${at}>[\\d.]+?)\\.?0*[1-9]\\d*:\\k<h${at}>$" 1;`,
      '  }',
    ].join('\n')
  return [
    ...pairs.map(greater),
    `  map "${pairs.map((_, at) => `$over_${at}`).join('')}" $gone_form {`,
    '    default $missing_form;',
    '    "~^111" problem;',
    '    "~111$" problem;',
    '  }',
  ].join('\n')
}

/**
 * RFC 9110 weights as regular expressions: first each type's weight, then the greater of two
 * decimals, compared digit by digit after their common prefix.
 */
export function negotiation(): string {
  const weight = (type: string, target: string, fallback: string) =>
    [
      `  map $http_accept ${target} {`,
      `    default ${fallback};`,
      `    "~*(?:^|,)\\s*${type}\\s*;(?:[^,]*;)?\\s*q\\s*=\\s*(?<q_${target.slice(1)}>1(?:\\.0*)?|0(?:\\.\\d*)?)\\s*(?:;|,|$)" $q_${target.slice(1)};`,
      `    "~*(?:^|,)\\s*${type}\\s*(?:;(?![^,]*\\bq\\s*=)[^,]*)?(?:,|$)" 1;`,
      '  }',
    ].join('\n')
  return [
    weight('\\*/\\*', '$any_weight', '0'),
    weight('text/\\*', '$text_weight', '$any_weight'),
    weight('text/html', '$html_weight', '$text_weight'),
    weight('text/html', '$html_named', '0'),
    weight('text/html', '$html_stated', 'none'),
    weight('text/markdown', '$markdown_stated', 'none'),
    weight('application/xhtml\\+xml', '$xhtml_named', '0'),
    weight('text/markdown', '$markdown_weight', '0'),
    weight('application/json', '$json_named', '0'),
    weight('application/problem\\+json', '$problem_named', '0'),
    // The Accept header rejects HTML explicitly, and doesn't reject Markdown.
    '  map "$html_stated:$markdown_stated" $html_refused {',
    '    default 0;',
    '    "~^0(\\.0*)?:(?!0(\\.0*)?$)" 1;',
    '  }',
    `  map "$markdown_weight:$html_weight" $greater_form {`,
    '    default html;',
    '    "~^0(\\.0*)?:" html;',
    '    "~^(?<e>[\\d.]+?)(\\.?0*):\\k<e>(\\.?0*)$" markdown;',
    `    "~^(?<b>[\\d.]*)(?:${higherDigit('b')})" markdown;`,
    '    "~^(?<e2>[\\d.]+)\\.?\\d+:\\k<e2>$" markdown;',
    '  }',
    '  map $html_refused $page_form {',
    '    default $greater_form;',
    '    1 markdown;',
    '  }',
    '  map "$page_form $html_named $xhtml_named" $missing_form {',
    '    default html;',
    '    "~^markdown" markdown;',
    '    "~ 0(\\.0*)? 0(\\.0*)?$" markdown;',
    '  }',
    goneForm(),
  ].join('\n')
}
