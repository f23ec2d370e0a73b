import { describe, expect, it } from 'vitest'
import { Compositor } from './compositor.ts'

const width = 160
const height = 96

/** Radius of a white disc in the middle of an otherwise empty layer. */
const radius = 37

/** Returns the luma of a black frame over which the disc's layer is drawn at `x`, `y`. */
function lumaWithDisc(opacity: number, x = 0, y = 0): (column: number, row: number) => number {
  const memory = new WebAssembly.Memory({ initial: 200, maximum: 200, shared: true })
  const compositor = new Compositor({ width, height }, memory)
  const layer = compositor.layer(width, height, (context) => {
    context.fillStyle = '#fff'
    context.beginPath()
    context.arc(width / 2, height / 2, radius, 0, Math.PI * 2)
    context.fill()
  })
  const black = compositor.texture(32, 32, (_u, _v, yuv) => yuv.splice(0, 3, 16, 128, 128))
  compositor.drawTexture(black, { x: 0, y: 0, width, height }, { mode: 'replace' })
  compositor.drawLayer(layer, { x, y, scale: 1, opacity })
  const region = compositor.storeI420(0)
  const luma = new Uint8Array(memory.buffer, region.byteOffset, width * height)
  return (column, row) => luma[row * width + column] ?? 0
}

describe('compositor layers', () => {
  it.each([
    [0, 0],
    [5, -3],
    [-19, 11],
  ])('a layer moved by %i, %i hides the background only at its opaque pixels', (x, y) => {
    const luma = lumaWithDisc(1, x, y)
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const distance = Math.hypot(column + 0.5 - x - width / 2, row + 0.5 - y - height / 2)
        if (Math.abs(distance - radius) < 1.5) continue
        expect(Math.abs(luma(column, row) - (distance < radius ? 235 : 16))).toBeLessThanOrEqual(1)
      }
    }
  })

  it('a white layer with an opacity of 0.5 over black gives middle gray', () => {
    expect(Math.abs(lumaWithDisc(0.5)(width / 2, height / 2) - 125)).toBeLessThanOrEqual(2)
  })
})
