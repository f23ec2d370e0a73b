import { readFile, stat } from 'node:fs/promises'
import { textBytesMax } from '@framegate/contract'
import { MediaProbeError } from './probe-media.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the text of a produced file. Throws the errors of `readText`. */
export async function probeText(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size > textBytesMax) throw tooLong()
  return readText(await readFile(path))
}

/**
 * Decodes a produced text. Throws a `MediaProbeError` if it is empty, too long, a web page or not
 * UTF-8, or if it has control characters other than line breaks.
 */
export function readText(bytes: Buffer): string {
  if (bytes.byteLength > textBytesMax) throw tooLong()
  const text = decode(bytes)
  if (text.trim() === '') throw new MediaProbeError('broken', 'the text is empty')
  if (/[^\P{Cc}\n]/u.test(text)) throw new MediaProbeError('broken', 'the text has control characters')
  if (/^\s*<(?:!doctype|html)\b/i.test(text)) throw new MediaProbeError('broken', 'the text is a web page')
  return text
}

function tooLong(): MediaProbeError {
  return new MediaProbeError('broken', `the text is longer than ${textBytesMax} bytes`)
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new MediaProbeError('broken', 'the text is not UTF-8', { cause })
  }
}
