import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid, type Displace } from '../../picture/warp-grid.ts'
import type { PlanImage } from '../../render-plan.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Match } from './matching/match-images.ts'
import { maskColumns, maskRows, spansOf } from './reveal-mask.ts'

/**
 * Duration of the change at a point, as a share of the video. The duration is long where the match
 * of both images is certain, and short where it is not. `scatter` spreads the start of the short
 * changes.
 */
const change = { certainShare: 0.5, uncertainShare: 0.12, scatter: 0.12 }
/**
 * Share by which the camera approaches and then returns. Without this motion, two images of one
 * place would give a video without motion.
 */
const approachShare = 0.045
/**
 * Share of a side over which an image is replaced by the other image near its edge. Up to `beyond`
 * outside the edge, the image repeats its last row without a visible difference.
 */
const edge = { share: 0.04, beyond: 0.015 }
/**
 * Distance from the edges of the frame, as a share, within which the motion of single parts fades
 * to none.
 */
const edgeOfParts = 0.1

/**
 * Turns one image into another image of the same object. The camera moves from one view to the
 * other, moved parts follow their own paths, and the light changes. Both images are warped to the
 * positions of the current moment, so nothing appears twice.
 */
export function paintMorph(stage: Stage, first: PlanImage, last: PlanImage, match: Match): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const pictures = { first: createPicture(compositor, first), last: createPicture(compositor, last) }
  const second = compositor.allocatePlanes()
  const grid = new WarpGrid(compositor)
  const mask = compositor.coverTexture(maskColumns, maskRows, () => 0)
  const shares = new Float32Array(maskColumns * maskRows)
  const order = stage.noise.grid({ shape: 'soft', octaves: 3, gain: 0.5 }, maskColumns, maskRows, (u, v, point) => {
    point.x = ((u * width) / unit) * 2.4 + 11
    point.y = ((v * height) / unit) * 2.4
  })

  return ({ progress }) => {
    const find = finderAt(match, progress)
    const sourceIn =
      (side: 'first' | 'last'): Displace =>
      (x, y, _index, source) => {
        const place = find(x / width, y / height)[side]
        source.x = place.x * width
        source.y = place.y * height
      }
    compositor.repaintCover(mask, (u, v, index) => {
      const match = find(u, v)
      const duration = mix(change.uncertainShare, change.certainShare, match.likeness)
      const start = 0.5 - duration / 2 + ((order[index] ?? 0) - 0.5) * change.scatter * (1 - match.likeness)
      const changed = smoothstep(start, start + duration, progress)
      const share = shareOfLast(changed, insideShareOf(match.first), insideShareOf(match.last))
      shares[index] = share
      return share
    })
    const firstShows = spansOf(shares, (share) => share < 1, grid.cellRows, geometry)
    const lastShows = spansOf(shares, (share) => share > 0, grid.cellRows, geometry)
    grid.set(sourceIn('first'), firstShows)
    grid.draw(pictures.first, compositor.planes)
    if (lastShows.every(({ first: from, end }) => from >= end)) return
    grid.set(sourceIn('last'), lastShows)
    grid.draw(pictures.last, second)
    compositor.drawTexture(mask, { x: 0, y: 0, width, height }, { mode: 'reveal', planes: second })
  }
}

interface Found {
  first: { x: number; y: number }
  last: { x: number; y: number }
  likeness: number
}

/**
 * Returns a function that locates a point of the frame in both images, in shares of the sides. The
 * returned object is valid until the next call.
 */
function finderAt({ scale, x, y, moves }: Match, progress: number): (u: number, v: number) => Found {
  const motionShare = smoothstep(0, 1, progress) * 0.7 + progress * 0.3
  const zoom = scale ** motionShare
  // The camera zooms about one fixed point. If both images have the same scale, the camera only
  // moves sideways.
  const slideShare = Math.abs(scale - 1) < 1e-4 ? motionShare : (zoom - 1) / (scale - 1)
  const approach = 1 + approachShare * Math.sin(Math.PI * progress) ** 2
  const match: Found = { first: { x: 0, y: 0 }, last: { x: 0, y: 0 }, likeness: 1 }
  return (u, v) => {
    const { first, last } = match
    first.x = ((u - 0.5) / approach - x * slideShare) / zoom
    first.y = ((v - 0.5) / approach - y * slideShare) / zoom
    last.x = first.x * scale + x
    last.y = first.y * scale + y
    if (moves !== undefined) {
      const partMove = moves(last.x + 0.5, last.y + 0.5)
      const edgeDistance = smoothstep(0, edgeOfParts, Math.min(u, 1 - u, v, 1 - v))
      first.x -= (partMove.x * edgeDistance * motionShare) / scale
      first.y -= (partMove.y * edgeDistance * motionShare) / scale
      last.x += partMove.x * edgeDistance * (1 - motionShare)
      last.y += partMove.y * edgeDistance * (1 - motionShare)
      match.likeness = partMove.likeness
    }
    first.x += 0.5
    first.y += 0.5
    last.x += 0.5
    last.y += 0.5
    return match
  }
}

/** Returns 1 well inside an image and 0 outside. */
function insideShareOf({ x, y }: { x: number; y: number }): number {
  return clamp((Math.min(x, 1 - x, y, 1 - y) + edge.beyond) / edge.share)
}

function shareOfLast(changed: number, insideFirst: number, insideLast: number): number {
  const first = insideFirst * (1 - changed)
  const last = insideLast * changed
  if (first + last > 0) return last / (first + last)
  return insideLast > insideFirst ? 1 : 0
}
