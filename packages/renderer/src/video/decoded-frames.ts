import { spawn } from 'node:child_process'
import type { PixelSize } from '@framegate/contract'
import type { GivenVideo } from '../render-plan.ts'

/**
 * Decodes a given video. Each frame overwrites the previous one in the same bytes. Throws if the
 * program writes no frame, or fails before it has written all frames. Throws the reason of the
 * signal if the signal aborts.
 */
export async function* decodedFrames(
  { command: [program, ...args], frames }: Omit<GivenVideo, keyof PixelSize>,
  { width, height }: PixelSize,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { PATH = '' } = process.env
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { PATH } })
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signalName) => resolve(code === 0 ? '' : `the program ended with ${code ?? signalName}`))
  })
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop)
  try {
    const frame = new Uint8Array(width * height * 1.5)
    let [filled, yieldedFrames] = [0, 0]
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length && yieldedFrames < frames;) {
        const part = chunk.subarray(from, from + frame.length - filled)
        frame.set(part, filled)
        from += part.length
        filled += part.length
        if (filled < frame.length) break
        yield frame
        filled = 0
        yieldedFrames += 1
      }
      if (yieldedFrames === frames) return
    }
    signal.throwIfAborted()
    const problem = (await exited) || (yieldedFrames === 0 ? 'the program wrote no frame' : '')
    if (problem !== '') throw new Error(`the given video cannot be decoded: ${problem}`)
    for (; yieldedFrames < frames; yieldedFrames++) yield frame
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
