import { expect, it } from 'vitest'
import { Compositor } from '../../picture/compositor.ts'
import { readPrompt } from '../prompt/read-prompt.ts'
import { Stage } from '../stage.ts'
import { paintGrade } from './grade.ts'
import { meanOf } from './render.fixture.ts'

it('paintGrade tints shadows and lights separately, and keeps black dark and white light', () => {
  const size = { width: 64, height: 32 }
  const memory = new WebAssembly.Memory({ initial: 200, maximum: 200, shared: true })
  const compositor = new Compositor(size, memory)
  const plan = {
    ...size,
    frames: 1,
    prompt: '',
    negativePrompt: '',
    seed: 1,
    mode: 'text',
    images: [],
    overlay: null,
  } as const
  const stage = new Stage({ ...plan, images: [] }, readPrompt(''), compositor, [0.5, 0.5])
  const grade = paintGrade(stage, {
    contrast: 0.5,
    gain: 1,
    lift: 0,
    saturation: 1,
    shadows: [6, -8],
    lights: [-6, 8],
    vignette: 0,
    grain: 0,
  })
  const halves = compositor.texture(32, 32, (u, _v, yuv) => yuv.splice(0, 3, u < 0.5 ? 40 : 220, 128, 128))
  compositor.drawTexture(halves, { x: 0, y: 0, ...size }, { mode: 'replace' })
  grade({ seconds: 0, progress: 0 })
  const { byteOffset } = compositor.storeI420(0)
  const bytes = new Uint8Array(memory.buffer, byteOffset, 64 * 32 * 1.5)
  const [luma, u, v] = [bytes.subarray(0, 2048), bytes.subarray(2048, 2560), bytes.subarray(2560)]
  expect(meanOfSide(luma, 64, false)).toBeLessThan(40)
  expect(meanOfSide(luma, 64, true)).toBeGreaterThan(220)
  expect(meanOfSide(u, 32, false)).toBeGreaterThan(131)
  expect(meanOfSide(u, 32, true)).toBeLessThan(124)
  expect(meanOfSide(v, 32, false)).toBeLessThan(123)
  expect(meanOfSide(v, 32, true)).toBeGreaterThan(133)
})

function meanOfSide(plane: Uint8Array, width: number, isRight: boolean): number {
  return meanOf(plane.filter((_, index) => (isRight ? index % width > width * 0.75 : index % width < width * 0.25)))
}
