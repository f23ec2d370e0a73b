import { mixRgb, toYuv, type Rgb } from '../../picture/colour.ts'
import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid, type CellSpan, type Picture } from '../../picture/warp-grid.ts'
import type { WorkingPlanes } from '../../picture/compositor.ts'
import type { PlanImage } from '../../render-plan.ts'
import { createFlow } from '../../picture/flow.ts'
import type { Painter, Stage } from '../stage.ts'
import { maskColumns, maskRows, spansOf } from './reveal-mask.ts'

/**
 * Half the width of the seam in which both images are visible, and width of the mist that hides it,
 * as shares of the frame.
 */
const seam = 0.055
const mistWidth = 0.14
/** Shares of the video between which the images meet. Before and after that only one is visible. */
const meeting = { from: 0.12, to: 0.88 }

/**
 * Paints a video from the first image to the last. Both drift on one flow, the second comes to rest
 * at its original position, and a bank of lit mist crosses the frame and hides the seam. A plain
 * cross-fade of unlike images would look like a double exposure.
 */
export function paintMeeting(stage: Stage, first: PlanImage, last: PlanImage): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const pictures = { first: createPicture(compositor, first), last: createPicture(compositor, last) }
  const second = compositor.takePlanes()
  const grid = new WarpGrid(compositor)
  const flow = createFlow(grid, unit, stage.random('flow'))
  const mask = compositor.coverTexture(maskColumns, maskRows, () => 0)
  const mist = compositor.coverTexture(maskColumns, maskRows, () => 0)
  const light = toYuv(mixRgb(mixRgb(meanColour(first), meanColour(last), 0.5), [255, 246, 232], 0.68))
  const random = stage.random('sweep')
  const angle = (random() - 0.5) * 1.1 + (random() < 0.5 ? 0 : Math.PI)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const rough = stage.noise.grid({ shape: 'soft', octaves: 4, gain: 0.5 }, maskColumns, maskRows, (u, v, point) => {
    point.x = ((u * width) / unit) * 2.1 + 5
    point.y = ((v * height) / unit) * 2.6
  })

  const shown = new Float32Array(maskColumns * maskRows)
  const veil = new Float32Array(maskColumns * maskRows)

  const draw = (picture: Picture, target: WorkingPlanes, travelled: number, spans?: readonly CellSpan[]): void => {
    // An image grows with the distance from its own frame of the video, so that flow and drift stay
    // inside it.
    const zoom = 1 / (1 + 0.1 * travelled)
    const strength = unit * 0.02 * travelled
    grid.set((x, y, index, source) => {
      source.x = mix(width / 2, x, zoom) + flow.x(index) * strength
      source.y = mix(height / 2, y, zoom) + flow.y(index) * strength
    }, spans)
    grid.draw(picture, target)
  }

  return (moment) => {
    const { progress, seconds } = moment
    flow.at(seconds)
    const met = clamp((progress - meeting.from) / (meeting.to - meeting.from))
    const travelled = smoothstep(0, 1, progress) * 0.4 + progress * 0.6
    const reversed = 1 - progress
    const returned = smoothstep(0, 1, reversed) * 0.4 + reversed * 0.6
    if (met <= 0) return draw(pictures.first, compositor.planes, travelled)
    if (met >= 1) return draw(pictures.last, compositor.planes, returned)
    // The front moves from well before the frame to well behind it.
    const front = mix(-1.35, 1.35, met)
    compositor.repaintCover(mask, (u, v, index) => {
      const along = (u - 0.5) * cos + (v - 0.5) * sin
      const drift = Math.sin(seconds * 0.7 + u * 5 + v * 3) * 0.025
      const passed = front - along + (rough[index] ?? 0) * 0.32 + drift
      const share = smoothstep(-seam, seam, passed)
      shown[index] = share
      veil[index] = Math.exp(-((passed / mistWidth) ** 2)) * (0.8 + (rough[index] ?? 0) * 0.35)
      return share
    })
    compositor.repaintCover(mist, (_u, _v, index) => veil[index] ?? 0)
    // Each image is drawn only where it is visible. Drawing both whole would add half of a frame's
    // time.
    const firstShows = spansOf(shown, (share) => share < 1, grid.cellRows, geometry)
    const lastShows = spansOf(shown, (share) => share > 0, grid.cellRows, geometry)
    draw(pictures.first, compositor.planes, travelled, firstShows)
    draw(pictures.last, second, returned, lastShows)
    const whole = { x: 0, y: 0, width, height }
    compositor.drawTexture(mask, whole, { mode: 'reveal', planes: second })
    compositor.drawTexture(mist, whole, { mode: 'cover', gain: 0.94, colour: light })
  }
}

function meanColour({ rgba }: PlanImage): Rgb {
  const step = Math.max(1, Math.floor(rgba.length / 4 / 997)) * 4
  let [red, green, blue, count] = [0, 0, 0, 0]
  for (let at = 0; at + 2 < rgba.length; at += step) {
    red += rgba[at] ?? 0
    green += rgba[at + 1] ?? 0
    blue += rgba[at + 2] ?? 0
    count++
  }
  return [red / count, green / count, blue / count]
}
