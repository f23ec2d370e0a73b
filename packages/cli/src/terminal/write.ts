/** Results go to stdout, words to stderr. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function writeJson(value: unknown): void {
  writeLine(JSON.stringify(value))
}

/** One thing that was asked for is an object, several are an array. */
export function writeJsonOf(values: readonly unknown[], wantedCount: number): void {
  writeJson(wantedCount === 1 ? values[0] : values)
}

export function sayOnStderr(words: string): void {
  process.stderr.write(`${words}\n`)
}

const controlCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** What a server or a prompt says cannot move the cursor. */
export function plainText(text: string): string {
  return text.replace(controlCharacters, ' ')
}
