import type { Stage } from '../stage.ts'
import { overscan } from '../stage.ts'

/** Number of rays per unit of the layer's width. */
const raysPerUnit = 250
const raysMax = 860
/** Target ratio of the distances of successive steps. */
const stepRatio = 1.0175
const stepsMax = 360

/**
 * View over the ground. Lengths on the ground are in ground units, which are independent of the
 * frame's unit. The eye is above the point 0, 0 and looks along z.
 */
export interface View {
  /** Height of the eye above the ground. */
  eyeHeight: number
  /** Distance of the farthest ground. */
  farthest: number
  /** Maximum height of the nearest ground. */
  rise?: number
  /** Focal length, in units of the frame. A larger one gives a narrower view. */
  focal?: number
  /** Factor for the number of grid points in each direction. */
  detail?: number
}

/**
 * A grid of the ground. Rays leave the eye, and the steps on a ray grow with the distance, because
 * far ground needs less detail.
 */
export interface Plane {
  /** Number of rays. */
  rays: number
  /** Number of steps on a ray. */
  steps: number
  eyeHeight: number
  /** Focal length in pixels. */
  focal: number
  /** Frame position of the first ray, in pixels. */
  left: number
  /** Frame position of the last ray, in pixels. */
  right: number
  /** Distance of each step, from near to far. */
  distances: Float32Array
  /** Sideways position of each grid point, step by step. */
  xs: Float32Array
  /** Distance of each grid point, step by step. */
  zs: Float32Array
}

export function createPlane(
  { geometry, horizon }: Stage,
  { eyeHeight, farthest, rise = 0, focal = 1.1, detail = 1 }: View,
): Plane {
  const { width, height, unit } = geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const focalPixels = focal * unit
  const rays = Math.min(raysMax, Math.max(24, Math.round((raysPerUnit * detail * layerWidth) / unit)))
  // The nearest ground is slightly below the frame.
  const nearestZ = ((eyeHeight - rise) * focalPixels) / (height * 1.06 - horizon)
  const steps = Math.min(stepsMax, Math.ceil((Math.log(farthest / nearestZ) / Math.log(stepRatio)) * detail) + 1)
  const ratio = (farthest / nearestZ) ** (1 / (steps - 1))
  const left = (width - layerWidth) / 2
  const distances = Float32Array.from({ length: steps }, (_, step) => nearestZ * ratio ** step)
  const xs = new Float32Array(rays * steps)
  const zs = new Float32Array(rays * steps)
  const sidesAtUnitDistance = Float64Array.from(
    { length: rays },
    (_, ray) => (left + (layerWidth * ray) / (rays - 1) - width / 2) / focalPixels,
  )
  for (let step = 0; step < steps; step++) {
    const z = distances[step] ?? nearestZ
    for (let ray = 0; ray < rays; ray++) xs[step * rays + ray] = (sidesAtUnitDistance[ray] ?? 0) * z
    zs.fill(z, step * rays, (step + 1) * rays)
  }
  return { rays, steps, eyeHeight, focal: focalPixels, left, right: left + layerWidth, distances, xs, zs }
}

/**
 * Averages heights over neighboring points, because a crest that runs diagonally between grid
 * points would look jagged. The smoothing is strongest along the line of sight, where points are
 * far apart.
 */
export function soften({ compositor }: Stage, { rays, steps }: Plane, heights: Float32Array, rounds = 2): Float32Array {
  const space = compositor.workspace()
  const [first, second] = [space.allocate(heights.byteLength), space.allocate(heights.byteLength)]
  const means = space.allocate(rays * 8)
  compositor.floats.set(heights, first >> 2)
  let [from, to] = [first, second]
  for (let round = 0; round < rounds + 2; round++) {
    compositor.kernels.softenHeights(to, from, rays, steps, round < rounds ? 0.25 : 0, means)
    ;[from, to] = [to, from]
  }
  return compositor.floats.slice(from >> 2, (from >> 2) + heights.length)
}
