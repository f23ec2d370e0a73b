import { mixRgb, type Rgb } from '../../picture/colour.ts'
import { drawBroadleaf } from './broadleaf.ts'
import { drawFir } from './firs.ts'
import type { Stage } from '../stage.ts'
import { furnishing, type Furnishing } from '../terrain/furnishing.ts'
import { needsGround } from '../subjects/kinds.ts'
import type { Furnish } from '../terrain/paint-slice.ts'
import type { Plane } from '../terrain/plane.ts'

export interface Woods {
  count: number
  /** Height of a tall tree, in lengths of the ground. */
  tall: number
  colour: Rgb
  /** Color of lit crowns. If set, the trees are broad ones instead of firs. */
  crown?: Rgb | undefined
  snow?: Rgb | undefined
  air: Rgb
  /** Distance over which the air takes two thirds of the trees' color. */
  reach: number
  /** Threshold of the clumps on a noise of about -0.6 to 0.6; lower is denser. */
  threshold: number
  /** Trees grow neither above this height, nor nearer than `nearest`, nor where `isBare`. */
  highest: number
  nearest?: number
  isBare?: (index: number) => boolean
}

const smallestPixels = 2.5
const clearing = 3.6

/** Plants trees in clumps over the ground, larger the nearer they stand. */
export function plantTrees(stage: Stage, plane: Plane, heights: Float32Array, woods: Woods): Furnish {
  return furnishing(growTrees(stage, plane, heights, woods), woods.tall)
}

export function growTrees(stage: Stage, { rays, steps, zs }: Plane, heights: Float32Array, woods: Woods): Furnishing[] {
  const random = stage.random('woods')
  // The foreground is a clearing if a subject stands there, because trees beside it would look like
  // shrubs.
  const nearest = Math.max(woods.nearest ?? 0, needsGround(stage.brief.subjects) ? clearing : 0)
  const spots = Array.from({ length: woods.count }, () => ({
    ray: Math.floor(random() * rays),
    step: Math.floor(random() ** 0.7 * steps),
    size: 0.5 + 0.5 * random(),
  }))
  const clumps = stage.noise.sample({ shape: 'soft', octaves: 4, gain: 0.5 }, spots.length, (index, point) => {
    const spot = spots[index]
    const z = zs[(spot?.step ?? 0) * rays] ?? 1
    point.x = ((spot?.ray ?? 0) / rays) * z * 2.2
    point.y = z * 1.1 + 60
  })
  const grows = (index: number, thick: number): boolean => {
    const high = heights[index] ?? 0
    const isFar = (zs[index] ?? 0) > nearest
    return isFar && thick > woods.threshold + high * 0.2 && high < woods.highest && !(woods.isBare?.(index) ?? false)
  }
  const facing = stage.sun.x > stage.geometry.width / 2 ? 1 : -1
  const shape = stage.random('trees')
  return spots
    .filter(({ ray, step }, index) => grows(step * rays + ray, clumps[index] ?? 0))
    .map(({ ray, step, size }) => ({
      ray,
      step,
      draw: (context, spot) => {
        const height = spot.scale * woods.tall * size
        if (height < smallestPixels) return
        const haze = 0.84 * (1 - Math.exp(-Math.max(0, (zs[step * rays] ?? 0) - 2) / woods.reach))
        const foot = {
          x: spot.x,
          y: spot.y + height * 0.04,
          height,
          colour: mixRgb(woods.colour, woods.air, haze),
          random: shape,
        }
        if (woods.crown) drawBroadleaf(context, { ...foot, lit: mixRgb(woods.crown, woods.air, haze), facing })
        else drawFir(context, { ...foot, snow: woods.snow ? mixRgb(woods.snow, woods.air, haze) : undefined })
      },
    }))
}
