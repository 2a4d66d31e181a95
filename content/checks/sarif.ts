import type { Edit, Finding } from './finding.ts'

/** Findings as SARIF 2.1.0, which code hosts show at the line in a change. */
export function sarif(found: readonly Finding[]): string {
  const rules = [...new Set(found.map(({ rule }) => rule))].sort()
  const results = found.map(
    ({ path, line, column, rule, message, fix, edit, level = 'error' }) => ({
      ruleId: rule,
      ruleIndex: rules.indexOf(rule),
      level,
      message: { text: `${message}. ${fix}.` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: path },
            region: { startLine: line, startColumn: column },
          },
        },
      ],
      ...(edit === undefined ? {} : { fixes: [fixOf(path, fix, edit)] }),
    }),
  )
  const driver = {
    name: 'lint-content',
    rules: rules.map(id => ({ id, shortDescription: { text: id } })),
  }
  return JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [{ tool: { driver }, columnKind: 'unicodeCodePoints', results }],
    },
    null,
    2,
  )
}

/** The edit that a code host offers to commit. */
function fixOf(uri: string, text: string, edit: Edit) {
  const { line, column, length } = edit
  const replacement = {
    deletedRegion: {
      startLine: line,
      startColumn: column,
      endLine: line,
      endColumn: column + length,
    },
    insertedContent: { text: edit.text },
  }
  return {
    description: { text },
    artifactChanges: [{ artifactLocation: { uri }, replacements: [replacement] }],
  }
}
