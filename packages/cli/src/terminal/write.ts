import { outputWidth } from './output-width.ts'
import { wrappedLines } from './text-width.ts'

/** Results go to stdout, words to stderr. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function writeJson(value: unknown): void {
  writeLine(JSON.stringify(value))
}

/** In the form of the lists of the interface. */
export function writeJsonList(items: readonly unknown[], nextCursor: string | null = null): void {
  writeJson({ object: 'list', items, has_more: nextCursor !== null, next_cursor: nextCursor })
}

/** One thing that was asked for is an object, several are an array. */
export function writeJsonOf(values: readonly unknown[], wantedCount: number): void {
  writeJson(wantedCount === 1 ? values[0] : values)
}

export function sayOnStderr(words: string): void {
  process.stderr.write(`${words}\n`)
}

/** Sentences for people, on stderr. A terminal gets lines that it has room for. */
export function explain(words: string): void {
  sayOnStderr(wrappedLines(words, outputWidth(process.stderr)).join('\n'))
}

const controlCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** What a server or a prompt says cannot move the cursor. */
export function plainText(text: string): string {
  return text.replace(controlCharacters, ' ')
}
