import { createInterface } from 'node:readline'
import { fileErrorExitCode, findFileError } from '../lib/file-error.ts'
import { readWatermarkLine } from './watermark-design.ts'

/**
 * Entry point of the process that watermarks a file: `watermark-child.ts image|video FROM TO`. The
 * first line of its stdin is the design. Errors are written to stderr.
 */

// Signals are ignored, because a shutdown may signal the whole process group. The parent decides
// when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// The pipe closes when the service ends, even if it was killed. The child must not outlive the
// service.
process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL'))
const line = await new Promise<string>((resolve) => createInterface({ input: process.stdin }).once('line', resolve))

const [, , object, from = '', to = ''] = process.argv
try {
  const design = readWatermarkLine(line)
  if (object === 'image') await (await import('./watermark-image.ts')).watermarkImage(from, to, design)
  else await (await import('./watermark-video.ts')).watermarkVideo(from, to, design)
  process.exit(0)
} catch (error) {
  const code = findFileError(error) === undefined ? 1 : fileErrorExitCode
  process.stderr.write(error instanceof Error ? error.message : String(error), () => process.exit(code))
}
