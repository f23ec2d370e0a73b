import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid, type SetSource } from '../../picture/warp-grid.ts'
import type { PlanImage } from '../../render-plan.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Match } from './matching/match-images.ts'
import { maskColumns, maskRows, spansOf } from './reveal-mask.ts'

/**
 * Duration of the change at a point, as a share of the video. The duration is long where the match
 * of both images is certain, and short where it is not. `scatterShare` spreads the start of the
 * short changes.
 */
const changeTiming = { certainShare: 0.5, uncertainShare: 0.12, scatterShare: 0.12 }
/**
 * Share by which the camera approaches and then returns. Without this motion, the camera would not
 * move between two images from the same viewpoint.
 */
const approachShare = 0.045
/**
 * Band along the edges of an image in which it fades to the other image, as shares of a side. The
 * band is `bandShare` wide and begins `beyondShare` outside the image, where the image's outermost
 * pixels are repeated. This distance is too small for the repetition to be visible.
 */
const edge = { bandShare: 0.04, beyondShare: 0.015 }
/**
 * Distance from the edges of the frame, as a share of a side, over which the motion of single parts
 * fades to none.
 */
const partFadeShare = 0.1

/**
 * Morphs one image into another image of the same object. The camera moves from one view to the
 * other, moved parts follow their own paths, and the light changes. Both images are warped to the
 * positions of the current moment, so that nothing appears twice.
 */
export function paintMorph(stage: Stage, first: PlanImage, last: PlanImage, match: Match): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const pictures = { first: createPicture(compositor, first), last: createPicture(compositor, last) }
  const lastPlanes = compositor.allocatePlanes()
  const grid = new WarpGrid(compositor)
  const mask = compositor.coverTexture(maskColumns, maskRows, () => 0)
  const shares = new Float32Array(maskColumns * maskRows)
  const startNoise = stage.noise.grid({ shape: 'soft', octaves: 3, gain: 0.5 }, maskColumns, maskRows, (u, v, point) => {
    point.x = ((u * width) / unit) * 2.4 + 11
    point.y = ((v * height) / unit) * 2.4
  })

  return ({ progress }) => {
    const locate = locatorAt(match, progress)
    const sourceIn =
      (side: 'first' | 'last'): SetSource =>
      (x, y, _index, source) => {
        const point = locate(x / width, y / height)[side]
        source.x = point.x * width
        source.y = point.y * height
      }
    compositor.repaintCover(mask, (u, v, index) => {
      const point = locate(u, v)
      const duration = mix(changeTiming.uncertainShare, changeTiming.certainShare, point.likeness)
      const start = 0.5 - duration / 2 + ((startNoise[index] ?? 0) - 0.5) * changeTiming.scatterShare * (1 - point.likeness)
      const changed = smoothstep(start, start + duration, progress)
      const share = shareOfLast(changed, insideShareOf(point.first), insideShareOf(point.last))
      shares[index] = share
      return share
    })
    const firstSpans = spansOf(shares, (share) => share < 1, grid.cellRows, geometry)
    const lastSpans = spansOf(shares, (share) => share > 0, grid.cellRows, geometry)
    grid.set(sourceIn('first'), firstSpans)
    grid.draw(pictures.first, compositor.planes)
    if (lastSpans.every(({ columnFirst, columnEnd }) => columnFirst >= columnEnd)) return
    grid.set(sourceIn('last'), lastSpans)
    grid.draw(pictures.last, lastPlanes)
    compositor.drawTexture(mask, { x: 0, y: 0, width, height }, { mode: 'reveal', planes: lastPlanes })
  }
}

interface PointInImages {
  first: { x: number; y: number }
  last: { x: number; y: number }
  likeness: number
}

/**
 * Returns a function that locates a point of the frame in both images, in shares of the sides. The
 * returned object is valid until the next call.
 */
function locatorAt({ scale, x: shiftX, y: shiftY, moves }: Match, progress: number): (u: number, v: number) => PointInImages {
  const motionShare = smoothstep(0, 1, progress) * 0.7 + progress * 0.3
  const zoom = scale ** motionShare
  // The camera zooms about one fixed point. If both images have the same scale, the camera only
  // slides, without a zoom.
  const slideShare = Math.abs(scale - 1) < 1e-4 ? motionShare : (zoom - 1) / (scale - 1)
  const approach = 1 + approachShare * Math.sin(Math.PI * progress) ** 2
  const point: PointInImages = { first: { x: 0, y: 0 }, last: { x: 0, y: 0 }, likeness: 1 }
  return (u, v) => {
    const { first, last } = point
    first.x = ((u - 0.5) / approach - shiftX * slideShare) / zoom
    first.y = ((v - 0.5) / approach - shiftY * slideShare) / zoom
    last.x = first.x * scale + shiftX
    last.y = first.y * scale + shiftY
    if (moves !== undefined) {
      const partMove = moves(last.x + 0.5, last.y + 0.5)
      const partWeight = smoothstep(0, partFadeShare, Math.min(u, 1 - u, v, 1 - v))
      first.x -= (partMove.x * partWeight * motionShare) / scale
      first.y -= (partMove.y * partWeight * motionShare) / scale
      last.x += partMove.x * partWeight * (1 - motionShare)
      last.y += partMove.y * partWeight * (1 - motionShare)
      point.likeness = partMove.likeness
    }
    first.x += 0.5
    first.y += 0.5
    last.x += 0.5
    last.y += 0.5
    return point
  }
}

/** Returns 1 inside an image, and falls to 0 across its edge. */
function insideShareOf({ x, y }: { x: number; y: number }): number {
  return clamp((Math.min(x, 1 - x, y, 1 - y) + edge.beyondShare) / edge.bandShare)
}

function shareOfLast(changed: number, insideFirst: number, insideLast: number): number {
  const first = insideFirst * (1 - changed)
  const last = insideLast * changed
  if (first + last > 0) return last / (first + last)
  return insideLast > insideFirst ? 1 : 0
}
