import { mixRgb, toYuv, type Rgb } from '../../picture/color.ts'
import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid, type CellSpan, type Picture } from '../../picture/warp-grid.ts'
import type { WorkingPlanes } from '../../picture/compositor.ts'
import type { PlanImage } from '../../render-plan.ts'
import { createFlow } from '../../picture/flow.ts'
import type { Painter, Stage } from '../stage.ts'
import { maskColumns, maskRows, spansOf } from './reveal-mask.ts'

/** Half the width of the seam in which both images are visible, as a share of the frame. */
const seamHalfWidth = 0.055
/** Width of the mist that hides the seam, as a share of the frame. */
const mistWidth = 0.14
/** Range of the video's progress in which both images are visible. Outside of it, only one is. */
const transitionRange = { from: 0.12, to: 0.88 }

/**
 * Paints a video from the first image to the last. Both images drift with the same flow, and the
 * last one comes to rest at its original position. A bank of lit mist crosses the frame and hides
 * the seam. A plain cross-fade of different images would look like a double exposure.
 */
export function paintTransition(stage: Stage, first: PlanImage, last: PlanImage): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const pictures = { first: createPicture(compositor, first), last: createPicture(compositor, last) }
  const lastPlanes = compositor.allocatePlanes()
  const grid = new WarpGrid(compositor)
  const flow = createFlow(grid, unit, stage.random('flow'))
  const mask = compositor.coverTexture(maskColumns, maskRows, () => 0)
  const mist = compositor.coverTexture(maskColumns, maskRows, () => 0)
  const light = toYuv(mixRgb(mixRgb(meanColor(first), meanColor(last), 0.5), [255, 246, 232], 0.68))
  const random = stage.random('sweep')
  const angle = (random() - 0.5) * 1.1 + (random() < 0.5 ? 0 : Math.PI)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const roughNoise = stage.noise.grid({ shape: 'soft', octaves: 4, gain: 0.5 }, maskColumns, maskRows, (u, v, point) => {
    point.x = ((u * width) / unit) * 2.1 + 5
    point.y = ((v * height) / unit) * 2.6
  })

  const lastShares = new Float32Array(maskColumns * maskRows)
  const veil = new Float32Array(maskColumns * maskRows)

  const draw = (picture: Picture, target: WorkingPlanes, traveled: number, spans?: readonly CellSpan[]): void => {
    // The zoom grows with the time between the moment and the image's own frame, so that the flow
    // never moves the edge of the image into view.
    const zoom = 1 / (1 + 0.1 * traveled)
    const strength = unit * 0.02 * traveled
    grid.set((x, y, index, source) => {
      source.x = mix(width / 2, x, zoom) + flow.x(index) * strength
      source.y = mix(height / 2, y, zoom) + flow.y(index) * strength
    }, spans)
    grid.draw(picture, target)
  }

  return (moment) => {
    const { progress, seconds } = moment
    flow.computeAt(seconds)
    const transitionShare = clamp((progress - transitionRange.from) / (transitionRange.to - transitionRange.from))
    const traveled = smoothstep(0, 1, progress) * 0.4 + progress * 0.6
    const reversedProgress = 1 - progress
    const returnShare = smoothstep(0, 1, reversedProgress) * 0.4 + reversedProgress * 0.6
    if (transitionShare <= 0) return draw(pictures.first, compositor.planes, traveled)
    if (transitionShare >= 1) return draw(pictures.last, compositor.planes, returnShare)
    // The front of the mist moves from outside one side of the frame to outside the other.
    const front = mix(-1.35, 1.35, transitionShare)
    compositor.repaintCover(mask, (u, v, index) => {
      const frontOffset = (u - 0.5) * cos + (v - 0.5) * sin
      const drift = Math.sin(seconds * 0.7 + u * 5 + v * 3) * 0.025
      const frontDistance = front - frontOffset + (roughNoise[index] ?? 0) * 0.32 + drift
      const share = smoothstep(-seamHalfWidth, seamHalfWidth, frontDistance)
      lastShares[index] = share
      veil[index] = Math.exp(-((frontDistance / mistWidth) ** 2)) * (0.8 + (roughNoise[index] ?? 0) * 0.35)
      return share
    })
    compositor.repaintCover(mist, (_u, _v, index) => veil[index] ?? 0)
    // Each image is drawn only where it is visible. Drawing both images completely would add half
    // of a frame's time.
    const firstSpans = spansOf(lastShares, (share) => share < 1, grid.cellRows, geometry)
    const lastSpans = spansOf(lastShares, (share) => share > 0, grid.cellRows, geometry)
    draw(pictures.first, compositor.planes, traveled, firstSpans)
    draw(pictures.last, lastPlanes, returnShare, lastSpans)
    const frameArea = { x: 0, y: 0, width, height }
    compositor.drawTexture(mask, frameArea, { mode: 'reveal', planes: lastPlanes })
    compositor.drawTexture(mist, frameArea, { mode: 'cover', gain: 0.94, color: light })
  }
}

function meanColor({ rgba }: PlanImage): Rgb {
  const step = Math.max(1, Math.floor(rgba.length / 4 / 997)) * 4
  let [red, green, blue, count] = [0, 0, 0, 0]
  for (let index = 0; index + 2 < rgba.length; index += step) {
    red += rgba[index] ?? 0
    green += rgba[index + 1] ?? 0
    blue += rgba[index + 2] ?? 0
    count++
  }
  return [red / count, green / count, blue / count]
}
