import { spawn } from 'node:child_process'
import type { PixelSize } from '@framegate/contract'

/** A video that is shown before the rendered frames, as a program that decodes it. */
export interface Opening {
  /**
   * Writes `frames` frames of the plan's size to its standard output, as limited-range BT.709 I420.
   */
  command: readonly [string, ...string[]]
  /** If the program writes fewer, the last one is shown until the end. */
  frames: number
}

/**
 * Decodes an opening, one frame in memory at a time. The next call overwrites the frame. Throws if
 * the program fails, and the reason of the signal if it aborts.
 */
export async function* openingFrames(
  { command: [program, ...args], frames }: Opening,
  { width, height }: PixelSize,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { PATH = '' } = process.env
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { PATH } })
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, by) => resolve(code === 0 ? '' : `it ended with ${code ?? by}`))
  })
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop)
  try {
    const frame = new Uint8Array(width * height * 1.5)
    let [filled, shown] = [0, 0]
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length && shown < frames;) {
        const part = chunk.subarray(from, from + frame.length - filled)
        frame.set(part, filled)
        from += part.length
        filled += part.length
        if (filled < frame.length) break
        yield frame
        filled = 0
        shown += 1
      }
      if (shown === frames) return
    }
    signal.throwIfAborted()
    const problem = (await exited) || (shown === 0 ? 'it wrote no frame' : '')
    if (problem !== '') throw new Error(`the video to continue cannot be decoded: ${problem}`)
    for (; shown < frames; shown++) yield frame
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
