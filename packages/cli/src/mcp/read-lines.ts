import type { Readable } from 'node:stream'

/** Maximum length of a line. It exceeds the largest message that the endpoint accepts. */
const lineBytesMax = 17 * 1024 * 1024
const newline = 0x0a

/** Yields the lines of a stream except empty ones. Yields null for a line that is too long. */
export async function* readLines(input: Readable, signal: AbortSignal): AsyncGenerator<string | null> {
  let parts: Buffer[] = []
  let lineBytes = 0
  function takeLine(): string | null {
    const line = lineBytes > lineBytesMax ? null : Buffer.concat(parts).toString('utf8').trim()
    parts = []
    lineBytes = 0
    return line
  }
  const stopReading = (): void => void input.destroy()
  signal.addEventListener('abort', stopReading, { once: true })
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      let rest = Buffer.from(chunk)
      for (let newlineIndex = rest.indexOf(newline); newlineIndex !== -1; newlineIndex = rest.indexOf(newline)) {
        add(rest.subarray(0, newlineIndex))
        rest = rest.subarray(newlineIndex + 1)
        const line = takeLine()
        if (line !== '') yield line
      }
      add(rest)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stopReading)
  }
  const lastLine = takeLine()
  if (lastLine !== '' && !signal.aborted) yield lastLine

  function add(part: Buffer): void {
    lineBytes += part.byteLength
    if (lineBytes <= lineBytesMax) parts.push(part)
    else parts = []
  }
}
