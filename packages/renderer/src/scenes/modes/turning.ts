import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid, type Displace } from '../../picture/warp-grid.ts'
import type { PlanImage } from '../../render-plan.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Match } from './matching/match-images.ts'
import { maskColumns, maskRows, spansOf } from './reveal-mask.ts'

/**
 * Duration of the change at a point, as a share of the video: long where the match of both images is
 * sure, short where it is not. `scatter` spreads the start of the short changes.
 */
const change = { sureShare: 0.5, unsureShare: 0.12, scatter: 0.12 }
/**
 * Share by which the camera moves nearer in between and back again. Without it, images of one place
 * would give a video that stands still.
 */
const breath = 0.045
/**
 * Share of a side over which an image gives way to the other one near its edge. Up to `beyond`
 * outside the edge, the image repeats its last row unnoticed.
 */
const edge = { share: 0.04, beyond: 0.015 }
/**
 * Distance from the edges of the frame, as a share. Within it, the movement of single parts fades to
 * none at the edge.
 */
const edgeOfParts = 0.1

/**
 * Turns one image into another of the same thing. The camera moves from one view to the other,
 * parts that have moved follow their own paths, and the light changes meanwhile. Both images are
 * warped to the positions of that moment, so that nothing is seen twice.
 */
export function paintTurning(stage: Stage, first: PlanImage, last: PlanImage, match: Match): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const pictures = { first: createPicture(compositor, first), last: createPicture(compositor, last) }
  const second = compositor.takePlanes()
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
      (which: 'first' | 'last'): Displace =>
      (x, y, _index, source) => {
        const place = find(x / width, y / height)[which]
        source.x = place.x * width
        source.y = place.y * height
      }
    compositor.repaintCover(mask, (u, v, index) => {
      const found = find(u, v)
      const lasting = mix(change.unsureShare, change.sureShare, found.likeness)
      const begins = 0.5 - lasting / 2 + ((order[index] ?? 0) - 0.5) * change.scatter * (1 - found.likeness)
      const changed = smoothstep(begins, begins + lasting, progress)
      const share = shareOfLast(changed, insideness(found.first), insideness(found.last))
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
 * Returns a function that finds a point of the frame in both images, all in shares of the sides.
 * The returned object is valid until the next call.
 */
function finderAt({ scale, x, y, moves }: Match, progress: number): (u: number, v: number) => Found {
  const way = smoothstep(0, 1, progress) * 0.7 + progress * 0.3
  const zoom = scale ** way
  // The camera zooms about one fixed point all the way. Between two images of the same scale it
  // only slides.
  const slid = Math.abs(scale - 1) < 1e-4 ? way : (zoom - 1) / (scale - 1)
  const nearer = 1 + breath * Math.sin(Math.PI * progress) ** 2
  const found: Found = { first: { x: 0, y: 0 }, last: { x: 0, y: 0 }, likeness: 1 }
  return (u, v) => {
    const { first, last } = found
    first.x = ((u - 0.5) / nearer - x * slid) / zoom
    first.y = ((v - 0.5) / nearer - y * slid) / zoom
    last.x = first.x * scale + x
    last.y = first.y * scale + y
    if (moves !== undefined) {
      const own = moves(last.x + 0.5, last.y + 0.5)
      const free = smoothstep(0, edgeOfParts, Math.min(u, 1 - u, v, 1 - v))
      first.x -= (own.x * free * way) / scale
      first.y -= (own.y * free * way) / scale
      last.x += own.x * free * (1 - way)
      last.y += own.y * free * (1 - way)
      found.likeness = own.likeness
    }
    first.x += 0.5
    first.y += 0.5
    last.x += 0.5
    last.y += 0.5
    return found
  }
}

/** Returns 1 well inside an image and 0 outside. */
function insideness({ x, y }: { x: number; y: number }): number {
  return clamp((Math.min(x, 1 - x, y, 1 - y) + edge.beyond) / edge.share)
}

function shareOfLast(changed: number, insideFirst: number, insideLast: number): number {
  const first = insideFirst * (1 - changed)
  const last = insideLast * changed
  if (first + last > 0) return last / (first + last)
  return insideLast > insideFirst ? 1 : 0
}
