import { describe, expect, it } from 'vitest'
import { decodedFrames } from './decoded-frames.ts'

const size = { width: 4, height: 2 }
const frameBytes = 12
const never = new AbortController().signal

/** A program that writes this many frames, each of its number, in pieces that end within frames. */
function writing(frames: number, end = ''): [string, ...string[]] {
  const bytes = `Buffer.concat(Array.from({ length: ${frames} }, (_, index) => Buffer.alloc(${frameBytes}, index)))`
  return [process.execPath, '-e', `process.stdout.write(${bytes}, () => { ${end} })`]
}

async function shown(given: Parameters<typeof decodedFrames>[0], signal = never): Promise<number[]> {
  const numbers: number[] = []
  for await (const frame of decodedFrames(given, size, signal)) {
    expect(new Set(frame).size).toBe(1)
    numbers.push(frame[0] ?? -1)
  }
  return numbers
}

describe('the frames of a given video', () => {
  it.each([
    ['all of them', 5, [0, 1, 2, 3, 4]],
    ['the last one again, if the program writes fewer', 3, [0, 1, 2, 2, 2]],
    ['as many as were announced, if the program writes more', 9, [0, 1, 2, 3, 4]],
  ])('are %s', async (_, written, expected) => {
    expect(await shown({ command: writing(written), frames: 5 })).toEqual(expected)
  })

  it.each([
    ['a program that fails', writing(2, 'process.exit(3)'), 'it ended with 3'],
    ['a program that writes nothing', writing(0), 'it wrote no frame'],
    ['a program that does not exist', ['/no/such/program'] as const, 'ENOENT'],
  ])('%s is reported', async (_, command, says) => {
    await expect(shown({ command, frames: 5 })).rejects.toThrow(says)
  })

  it('a program that hangs is killed at an abort', async () => {
    const command: [string, ...string[]] = [process.execPath, '-e', 'setInterval(() => {}, 1000)']
    const signal = AbortSignal.timeout(300)
    await expect(shown({ command, frames: 5 }, signal)).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
