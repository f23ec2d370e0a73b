import type { PlanImage } from '../../render-plan.ts'
import { smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid } from '../../picture/warp-grid.ts'
import { paintSnowfall } from '../air/motes.ts'
import { paintRain } from '../air/rain.ts'
import type { Moment, Painter, Stage } from '../stage.ts'
import { guessDepth } from './depth-guess.ts'

/**
 * Motion of all parts of the image over a video. `push` is the share by which objects grow, and
 * `sideOffset` the drift as a share of the frame's side. Most of the motion applies to all parts,
 * because objects are distorted if their parts move differently.
 */
const imageMotion = { push: 0.085, sideOffset: 0.017 }
/**
 * Additional motion of the nearest objects. It is large on open ground, and small around subjects,
 * where the background would be distorted.
 */
const nearObjectMotion = { open: { push: 0.075, sideOffset: 0.009 }, aroundSubjects: { push: 0.035, sideOffset: 0.003 } }
/**
 * The push-in moves the image's edges out of the frame and so creates a margin. The drift may use
 * this share of the margin, because the edge of the image must never be visible.
 */
const marginShare = 0.75
/** Factor for the drift if the prompt names a direction. */
const namedDirectionFactor = 1.7
/** Share of the motion that remains if the prompt asks for a still camera. */
const stillShare = 0.15

/**
 * Sets an image in motion: a camera pushes in and drifts to one side around the subject. At the
 * first frame the grid is the identity, so that the video begins with the exact image.
 */
export function paintFirstFrame(stage: Stage, picture: PlanImage, prompt: string): (Painter | undefined)[] {
  const { compositor, geometry, brief } = stage
  const { width, height } = geometry
  const shownPicture = createPicture(compositor, picture)
  const grid = new WarpGrid(compositor)
  const depth = guessDepth(picture)
  const gridNearness = new Float32Array(grid.columns * grid.rows)
  grid.set((x, y, index) => {
    gridNearness[index] = depth.nearness(x / width, y / height)
  })
  const random = stage.random('camera')
  const namedHeading = headingOf(prompt)
  const heading = namedHeading ?? { x: random() < 0.5 ? -1 : 1, y: (random() - 0.5) * 0.4 }
  const center = { x: width * (0.47 + 0.06 * random()), y: height * depth.horizon }
  const motionShare = isCameraStill(prompt) ? stillShare : 1
  const driftFactor = namedHeading ? namedDirectionFactor : 1
  const nearMotion = depth.hasSubjects ? nearObjectMotion.aroundSubjects : nearObjectMotion.open
  const drift = {
    x:
      Math.min(imageMotion.sideOffset * driftFactor * width, marginShare * lengthBeyondEdge(center.x, width, heading.x)) *
      heading.x,
    y:
      Math.min(imageMotion.sideOffset * driftFactor * height, marginShare * lengthBeyondEdge(center.y, height, heading.y)) *
      heading.y,
  }
  const parallax = { x: nearMotion.sideOffset * width * heading.x, y: nearMotion.sideOffset * height * heading.y }
  return [
    (moment) => {
      const traveled = (smoothstep(0, 1, moment.progress) * 0.5 + moment.progress * 0.5) * motionShare
      const crop = 1 / (1 + imageMotion.push * traveled)
      const nearPush = nearMotion.push * traveled
      const setSource = (x: number, y: number, nearness: number, source: { x: number; y: number }): void => {
        const scale = crop * (1 - nearPush * nearness)
        const nearerBy = nearness - depth.subjectNearness
        source.x = center.x + (x - center.x) * scale + traveled * (drift.x + parallax.x * nearerBy)
        source.y = center.y + (y - center.y) * scale + traveled * (drift.y + parallax.y * nearerBy)
      }
      grid.set((x, y, index, source) => {
        // The source of a point depends on the nearness at that source, so it is computed in two
        // steps.
        setSource(x, y, gridNearness[index] ?? 0, source)
        setSource(x, y, depth.nearness(source.x / width, source.y / height), source)
      })
      grid.draw(shownPicture, compositor.planes)
    },
    brief.weather === 'snow' ? paintSnowfall(stage, [235, 240, 250], fadeIn) : undefined,
    brief.weather === 'rain' ? paintRain(stage, [190, 205, 225], fadeIn) : undefined,
  ]
}

/**
 * Returns how much of the image is outside of the frame at the end of the push-in, on the side toward
 * which the camera drifts.
 */
function lengthBeyondEdge(center: number, side: number, heading: number): number {
  return (heading < 0 ? center : side - center) * (1 - 1 / (1 + imageMotion.push))
}

/** Fades the weather in after the first frame, because the first frame is the given image. */
function fadeIn(moment: Moment): number {
  return smoothstep(0.02, 0.3, moment.progress)
}

/** Returns the camera's direction if the prompt names a direction. */
function headingOf(prompt: string): { x: number; y: number } | undefined {
  const lower = prompt.toLowerCase()
  if (/\b(pan|move|track|slide)\w*\s+(to\s+the\s+)?left\b|向左/.test(lower)) return { x: -1, y: 0 }
  if (/\b(pan|move|track|slide)\w*\s+(to\s+the\s+)?right\b|向右/.test(lower)) return { x: 1, y: 0 }
  if (/\b(tilt|crane|pan)\w*\s+up\b|向上/.test(lower)) return { x: 0, y: -1 }
  if (/\b(tilt|crane|pan)\w*\s+down\b|向下/.test(lower)) return { x: 0, y: 1 }
  return undefined
}

function isCameraStill(prompt: string): boolean {
  return /\b(static|fixed|locked|still)\s+(camera|shot)\b|\bcamera\s+(is\s+|stays\s+)?(static|fixed|locked|still)\b|固定镜头/i.test(
    prompt,
  )
}
