import type { ShownOutput } from './read-snippets.ts'

/**
 * Fields with times, which differ in every run, and with file sizes, which differ between machines.
 */
const variableFields = new Set(['created', 'started', 'completed', 'expires_at', 'bytes'])

/**
 * Compares the output on a page with the printed one and returns the differences. `…` within a text
 * matches any characters, and on a line of its own any lines. In JSON, `…` as the last item of a
 * list matches any further items, and as the name of a field any other fields.
 */
export function compareOutput(documented: Pick<ShownOutput, 'language' | 'text'>, printed: string): string[] {
  if (documented.language === 'text') return matchesText(documented.text, printed) ? [] : [`the printed output was:\n${printed}`]
  try {
    const errors = compareValues('', JSON.parse(documented.text), JSON.parse(printed))
    return errors.length === 0 ? [] : [...errors, `the printed output was:\n${printed}`]
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return [`the printed output is not JSON (${error.message}):\n${printed}`]
  }
}

function compareValues(pointer: string, documented: unknown, printed: unknown): string[] {
  const difference = [
    `${pointer || 'the whole output'}: the page shows ${JSON.stringify(documented)}, the output has ${JSON.stringify(printed)}`,
  ]
  if (typeof documented === 'string' && typeof printed === 'string') return matchesText(documented, printed) ? [] : difference
  if (Array.isArray(documented)) {
    const isBeginning = documented.at(-1) === '…'
    const items = isBeginning ? documented.slice(0, -1) : documented
    if (!Array.isArray(printed) || (isBeginning ? printed.length < items.length : printed.length !== items.length))
      return difference
    return items.flatMap((item, index) => compareValues(`${pointer}/${index}`, item, printed[index]))
  }
  if (isObject(documented)) {
    if (!isObject(printed)) return difference
    const { '…': others, ...fields } = documented
    const unshown = others === undefined ? Object.keys(printed).filter((name) => !(name in fields)) : []
    return [
      ...unshown.map((name) => `${pointer}/${name}: printed, but not on the page`),
      ...Object.entries(fields).flatMap(([name, value]) => {
        const fieldPointer = `${pointer}/${name}`
        if (variableFields.has(name) && Number.isInteger(value) && Number.isInteger(printed[name])) return []
        return name in printed
          ? compareValues(fieldPointer, value, printed[name])
          : [`${fieldPointer}: on the page, but not printed`]
      }),
    ]
  }
  return documented === printed ? [] : difference
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function matchesText(documented: string, printed: string): boolean {
  const pattern = linesOf(documented)
    .map((line) => (line === '…' ? String.raw`(?:.*\n)*?` : `${line.split('…').map(escapeRegExp).join('.*')}\n`))
    .join('')
  return new RegExp(`^${pattern}$`).test(`${linesOf(printed).join('\n')}\n`)
}

function linesOf(text: string): string[] {
  return text
    .replaceAll('\r', '')
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
