import { mixRgb, toYuv, type Rgb } from '../../picture/colour.ts'
import { clamp, mix, smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid, type CellSpan, type Picture } from '../../picture/warp-grid.ts'
import type { WorkingPlanes } from '../../picture/compositor.ts'
import type { PlanPicture } from '../../render-plan.ts'
import { createFlow } from '../flow.ts'
import type { Painter, Stage } from '../stage.ts'

const maskColumns = 64
const maskRows = 36
/** The pictures meet between these shares of the film; before and after only one is there. */
const meeting = { from: 0.22, to: 0.8 }

/**
 * From the first picture to the last: both drift on one flow, the second comes to rest at its own first place, and a bank
 * of lit mist crosses the frame and hides the seam. A bare cross-fade of unlike pictures looks like a double exposure.
 */
export function paintFirstAndLastFrame(stage: Stage, first: PlanPicture, last: PlanPicture): Painter {
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

  const draw = (picture: Picture, target: WorkingPlanes, travelled: number, spans?: readonly CellSpan[]): void => {
    // Away from its own place a picture is larger, so that flow and drift stay inside it.
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
    // The front runs from well before the frame to well behind it.
    const front = mix(-0.95, 0.95, met)
    compositor.repaintCover(mask, (u, v, index) => {
      const along = (u - 0.5) * cos + (v - 0.5) * sin
      const drift = Math.sin(seconds * 0.7 + u * 5 + v * 3) * 0.025
      const share = smoothstep(-0.17, 0.17, front - along + (rough[index] ?? 0) * 0.32 + drift)
      shown[index] = share
      return share
    })
    compositor.repaintCover(mist, (_u, _v, index) => {
      const share = shown[index] ?? 0
      return 4 * share * (1 - share) * (0.82 + (rough[index] ?? 0) * 0.3)
    })
    // Each picture only where it shows: two whole ones would cost half a frame's time more.
    const shows = (isShown: (share: number) => boolean): CellSpan[] => spansOf(shown, isShown, grid.cellRows, height, width)
    draw(
      pictures.first,
      compositor.planes,
      travelled,
      shows((share) => share < 1),
    )
    draw(
      pictures.last,
      second,
      returned,
      shows((share) => share > 0),
    )
    const whole = { x: 0, y: 0, width, height }
    compositor.drawTexture(mask, whole, { mode: 'reveal', planes: second })
    compositor.drawTexture(mist, whole, { mode: 'cover', gain: 0.78, colour: light })
  }
}

/** For each row of cells the columns in which the mask, scaled up to the frame, has a share that passes. */
function spansOf(
  shares: Float32Array,
  passes: (share: number) => boolean,
  cellRows: number,
  height: number,
  width: number,
): CellSpan[] {
  const firsts: number[] = []
  const lasts: number[] = []
  for (let row = 0; row < maskRows; row++) {
    const line = shares.subarray(row * maskColumns, (row + 1) * maskColumns)
    firsts.push(line.findIndex(passes))
    lasts.push(line.findLastIndex(passes))
  }
  return Array.from({ length: cellRows }, (_, cellRow) => {
    // A sample's share is interpolated between texels up to one away.
    const top = Math.max(0, Math.floor((cellRow * 16 * maskRows) / height) - 1)
    const bottom = Math.ceil(((cellRow + 1) * 16 * maskRows) / height) + 1
    const within = firsts.slice(top, bottom).filter((first) => first >= 0)
    if (within.length === 0) return { first: 0, end: 0 }
    const left = ((Math.min(...within) - 1) * width) / maskColumns
    const right = ((Math.max(...lasts.slice(top, bottom)) + 2) * width) / maskColumns
    return { first: Math.max(0, Math.floor(left / 16)), end: Math.min(Math.ceil(width / 16), Math.ceil(right / 16)) }
  })
}

function meanColour({ rgba }: PlanPicture): Rgb {
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
