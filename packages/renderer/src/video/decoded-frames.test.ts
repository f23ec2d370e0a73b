import { describe, expect, it } from 'vitest'
import { decodedFrames } from './decoded-frames.ts'

const size = { width: 4, height: 2 }
const frameBytes = 12
const neverAbortedSignal = new AbortController().signal

/**
 * Returns the command of a program that writes this many frames and then runs `afterWrite`. Each
 * byte of a frame is the frame's number.
 */
function writingCommand(frames: number, afterWrite = ''): [string, ...string[]] {
  const bytes = `Buffer.concat(Array.from({ length: ${frames} }, (_, index) => Buffer.alloc(${frameBytes}, index)))`
  return [process.execPath, '-e', `process.stdout.write(${bytes}, () => { ${afterWrite} })`]
}

async function frameNumbers(video: Parameters<typeof decodedFrames>[0], signal = neverAbortedSignal): Promise<number[]> {
  const numbers: number[] = []
  for await (const frame of decodedFrames(video, size, signal)) {
    expect(new Set(frame).size).toBe(1)
    numbers.push(frame[0] ?? -1)
  }
  return numbers
}

describe('the frames of a given video', () => {
  it.each([
    ['the frames that the program writes', 5, [0, 1, 2, 3, 4]],
    ['completed by the last frame if the program writes too few', 3, [0, 1, 2, 2, 2]],
    ['limited to the announced number if the program writes more', 9, [0, 1, 2, 3, 4]],
  ])('the frames of a given video are %s', async (_, written, expected) => {
    expect(await frameNumbers({ command: writingCommand(written), frames: 5 })).toEqual(expected)
  })

  it.each([
    ['a program that fails', writingCommand(2, 'process.exit(3)'), 'the program ended with 3'],
    ['a program that writes nothing', writingCommand(0), 'the program wrote no frame'],
    ['a program that does not exist', ['/no/such/program'] as const, 'ENOENT'],
  ])('the error of %s is reported', async (_, command, message) => {
    await expect(frameNumbers({ command, frames: 5 })).rejects.toThrow(message)
  })

  it('the decoding program is killed when the signal aborts, even if it hangs', async () => {
    const command: [string, ...string[]] = [process.execPath, '-e', 'setInterval(() => {}, 1000)']
    const signal = AbortSignal.timeout(300)
    await expect(frameNumbers({ command, frames: 5 }, signal)).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
