import { outputWidth } from './output-width.ts'
import { wrappedLines } from './text-width.ts'

/** Writes a result to stdout. Messages go to stderr. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Writes to stdout. Rejects if the output was closed or cannot be written. */
export async function writeOrFail(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

export function writeJson(value: unknown): void {
  writeLine(JSON.stringify(value))
}

/** Writes a list in the API's format. */
export function writeJsonList(items: readonly unknown[], nextCursor: string | null = null): void {
  writeJson({ object: 'list', items, has_more: nextCursor !== null, next_cursor: nextCursor })
}

/** Writes an object if one item was requested, otherwise an array. */
export function writeJsonItemOrArray(values: readonly unknown[], requestedCount: number): void {
  writeJson(requestedCount === 1 ? values[0] : values)
}

export function writeToStderr(message: string): void {
  process.stderr.write(`${message}\n`)
}

/** Writes a message to stderr, wrapped to the width of the terminal. */
export function explain(message: string): void {
  writeToStderr(wrappedLines(message, outputWidth(process.stderr)).join('\n'))
}

const controlCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/**
 * Replaces control characters with spaces, so that text from a server or a prompt cannot move the
 * cursor.
 */
export function plainText(text: string): string {
  return text.replace(controlCharacters, ' ')
}
