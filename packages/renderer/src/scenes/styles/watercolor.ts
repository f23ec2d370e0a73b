import { hex } from '../../picture/color.ts'
import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'
import { createReliefTile, makePaper } from './paper.ts'
import { smoothField } from './smooth-field.ts'
import { paintWash } from './wash.ts'

/**
 * Paints pale washes on rough paper inside an unpainted border. Pigment gathers in the hollows of
 * the paper and at the edges of the washes.
 */
export function paintWatercolor(stage: Stage): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const paper = makePaper(stage.random('paper'), Math.max(1, unit / 800))
  compositor.setFinish({ vignette: 0, dither: 2.6, tile: createReliefTile(compositor, paper) })
  const wetness = smoothField(stage, { shape: 'soft', octaves: 5, gain: 0.56 }, 2.4, 5)
  const edgeField = smoothField(stage, { shape: 'soft', octaves: 4, gain: 0.5 }, 3.4, 60)
  const border = unit * 0.055
  // A small image has less roughness, because its bumps would be as large as the painted objects.
  const roughness = 0.13 * clamp(unit / 800, 0.55, 1)
  // The color of a wash varies between warmer and cooler areas.
  const pigment = (offset: number): ReturnType<typeof smoothField> =>
    smoothField(stage, { shape: 'soft', octaves: 4, gain: 0.6 }, 3.4, offset)
  const [tintU, tintV] = [pigment(40), pigment(80)]
  return paintWash(stage, {
    paper: hex('#fcf9f2'),
    displacement: { longWaves: 9, shortWaves: 6 },
    edge: { strength: 2.2, darkeningMax: 60, reach: unit > 640 ? 4 : 3 },
    isWet: unit > 640,
    tone: (light) => 1 - 0.8 * (1 - quantize(light, 6, 0.62)) ** 1.15,
    saturation: 1.05,
    tint: [(x, y) => 10 * tintU(x, y), (x, y) => 10 * tintV(x, y)],
    coat(x, y) {
      const paperHeight = paper.heightAt(x, y)
      const edgeNoise = edgeField(x, y)
      const distanceInside =
        Math.min(
          Math.min(x, width - x) - border * (1 + edgeNoise * 0.8),
          Math.min(y, height - y) - border * (1 + edgeNoise * 0.6),
        ) / unit
      if (distanceInside < -0.01) return 0
      // Toward the edge of the painted area, the peaks of the paper stay bare.
      const painted = smoothstep(-0.004, 0.003, distanceInside + 0.004 * paperHeight * smoothstep(0.02, 0, distanceInside))
      const rim = distanceInside > 0.03 ? 0 : 0.36 * Math.exp(-Math.max(0, distanceInside) / 0.005)
      const wetnessHere = wetness(x, y)
      const backrun =
        wetnessHere > 0.1 ? Math.exp((0.1 - wetnessHere) / 0.02) * 0.13 - 0.05 * smoothstep(0.1, 0.13, wetnessHere) : 0
      return painted * (mix(0.83, 1.17, clamp(0.5 - wetnessHere)) + rim + backrun) * (1 + roughness * paperHeight)
    },
  })
}

/** Quantizes light to steps with soft borders. A `hardness` of 0 leaves the light unchanged. */
function quantize(light: number, steps: number, hardness: number): number {
  const scaled = light * steps
  const share = scaled - Math.floor(scaled)
  return mix(light, (Math.floor(scaled) + smoothstep(0, 1, smoothstep(0, 1, share))) / steps, hardness)
}
