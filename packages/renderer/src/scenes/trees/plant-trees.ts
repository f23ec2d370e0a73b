import { mixRgb, type Rgb } from '../../picture/color.ts'
import { drawBroadleaf } from './broadleaf.ts'
import { drawFir } from './firs.ts'
import type { Stage } from '../stage.ts'
import { combineObjects, type GroundObject } from '../terrain/ground-objects.ts'
import { needsGround } from '../subjects/kinds.ts'
import type { GroundObjects } from '../terrain/paint-slice.ts'
import type { Plane } from '../terrain/plane.ts'

export interface Woods {
  count: number
  /** Height of a tall tree, in ground units. */
  height: number
  color: Rgb
  /** Color of lit crowns. If it is set, the trees are broad trees instead of firs. */
  crown?: Rgb | undefined
  snow?: Rgb | undefined
  air: Rgb
  /** Distance over which the haze, which begins at 2 ground units, reaches 63 % of its maximum. */
  reach: number
  /** Threshold of the clumps on a noise of about -0.6 to 0.6. Lower values give denser woods. */
  threshold: number
  /** Ground height above which no tree grows. */
  highest: number
  /** Distance up to which no tree grows. */
  nearest?: number
  /** Returns whether the ground at this index of the plane is bare of trees. */
  isBare?: (index: number) => boolean
}

/** Height in pixels below which a tree is not drawn. */
const heightPixelsMin = 2.5
/** Distance up to which a clearing has no trees. */
const clearingDistance = 3.6

/** Plants trees in clumps over the ground. Near trees are larger. */
export function plantTrees(stage: Stage, plane: Plane, heights: Float32Array, woods: Woods): GroundObjects {
  return combineObjects(growTrees(stage, plane, heights, woods), woods.height)
}

/** Returns the trees of `plantTrees` as single objects. */
export function growTrees(stage: Stage, { rays, steps, zs }: Plane, heights: Float32Array, woods: Woods): GroundObject[] {
  const random = stage.random('woods')
  // If a subject stands in the foreground, the foreground is a clearing, because trees beside the
  // subject would look like shrubs.
  const nearest = Math.max(woods.nearest ?? 0, needsGround(stage.brief.subjects) ? clearingDistance : 0)
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
  const canGrow = (index: number, density: number): boolean => {
    const groundHeight = heights[index] ?? 0
    const isFar = (zs[index] ?? 0) > nearest
    return (
      isFar && density > woods.threshold + groundHeight * 0.2 && groundHeight < woods.highest && !(woods.isBare?.(index) ?? false)
    )
  }
  const facing = stage.sun.x > stage.geometry.width / 2 ? 1 : -1
  const shapeRandom = stage.random('trees')
  return spots
    .filter(({ ray, step }, index) => canGrow(step * rays + ray, clumps[index] ?? 0))
    .map(({ ray, step, size }) => ({
      ray,
      step,
      draw: (context, spot) => {
        const height = spot.scale * woods.height * size
        if (height < heightPixelsMin) return
        const haze = 0.84 * (1 - Math.exp(-Math.max(0, (zs[step * rays] ?? 0) - 2) / woods.reach))
        const foot = {
          x: spot.x,
          y: spot.y + height * 0.04,
          height,
          color: mixRgb(woods.color, woods.air, haze),
          random: shapeRandom,
        }
        if (woods.crown) drawBroadleaf(context, { ...foot, litColor: mixRgb(woods.crown, woods.air, haze), facing })
        else drawFir(context, { ...foot, snow: woods.snow ? mixRgb(woods.snow, woods.air, haze) : undefined })
      },
    }))
}
