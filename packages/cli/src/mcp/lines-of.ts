import type { Readable } from 'node:stream'

/** Maximum length of a line. It exceeds the largest message that the endpoint accepts. */
const lineBytesMax = 17 * 1024 * 1024
const newline = 0x0a

/** Yields the lines of a stream except empty ones. Yields null for a line that is too long. */
export async function* linesOf(input: Readable, signal: AbortSignal): AsyncGenerator<string | null> {
  let parts: Buffer[] = []
  let bytes = 0
  function take(): string | null {
    const line = bytes > lineBytesMax ? null : Buffer.concat(parts).toString('utf8').trim()
    parts = []
    bytes = 0
    return line
  }
  const end = (): void => void input.destroy()
  signal.addEventListener('abort', end, { once: true })
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      let rest = Buffer.from(chunk)
      for (let newlineIndex = rest.indexOf(newline); newlineIndex !== -1; newlineIndex = rest.indexOf(newline)) {
        add(rest.subarray(0, newlineIndex))
        rest = rest.subarray(newlineIndex + 1)
        const line = take()
        if (line !== '') yield line
      }
      add(rest)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', end)
  }
  const last = take()
  if (last !== '' && !signal.aborted) yield last

  function add(part: Buffer): void {
    bytes += part.byteLength
    if (bytes <= lineBytesMax) parts.push(part)
    else parts = []
  }
}
