import { toYuv } from '../picture/colour.ts'
import type { Compositor } from '../picture/compositor.ts'
import { NoiseField } from '../picture/noise-field.ts'
import type { RenderPlan } from '../render-plan.ts'

export interface Scene {
  paint(index: number): void
}

export function createScene(plan: RenderPlan, compositor: Compositor): Scene {
  const noise = new NoiseField(compositor.kernels, compositor.arena, plan.seed)
  const values = noise.grid({ shape: 'soft', octaves: 5, gain: 0.5 }, 320, 180, (u, v, point) => {
    point.x = u * 6
    point.y = v * 6
  })
  let index = 0
  const sky = compositor.texture(320, 180, (_u, v, yuv) => {
    const light = (values[index++] ?? 0) * 60
    const [y, u2, v2] = toYuv([40 + 160 * v + light, 60 + 90 * v + light, 120 + light])
    yuv[0] = y
    yuv[1] = u2
    yuv[2] = v2
  })
  const { width, height } = compositor.geometry
  return {
    paint(frame) {
      const drift = frame * 0.5
      compositor.drawTexture(sky, { x: -drift, y: 0, width: width * 1.2, height }, { mode: 'replace' })
    },
  }
}
