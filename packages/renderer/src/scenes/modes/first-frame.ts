import type { PlanImage } from '../../render-plan.ts'
import { smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid } from '../../picture/warp-grid.ts'
import { paintSnowfall } from '../air/motes.ts'
import { paintRain } from '../air/rain.ts'
import type { Moment, Painter, Stage } from '../stage.ts'
import { guessDepth } from './depth-guess.ts'

/**
 * Camera motion over a video: `push` is the share by which things grow, `aside` the sideways move
 * in widths. Most of the motion moves the image as a whole, which never looks like rubber.
 */
const whole = { push: 0.085, aside: 0.017 }
/**
 * Additional motion of the nearest things: large on open ground, small where the backdrop is bent
 * around subjects.
 */
const nearest = { open: { push: 0.075, aside: 0.009 }, aroundSubjects: { push: 0.035, aside: 0.003 } }
/**
 * Share of the margin gained by the push-in that the drift may use. The edge of the image must
 * never come into view.
 */
const marginShare = 0.75
/** Factor for the drift if the prompt names a direction. */
const namedWayShare = 1.7
/** Share of the motion that is left if the prompt asks for a still camera. */
const stillShare = 0.15

/**
 * Sets an image in motion: a camera pushes in and drifts to one side around the subject. At the
 * first frame the grid is the identity, so that the video begins with the exact image.
 */
export function paintFirstFrame(stage: Stage, picture: PlanImage, prompt: string): (Painter | undefined)[] {
  const { compositor, geometry, brief } = stage
  const { width, height } = geometry
  const shown = createPicture(compositor, picture)
  const grid = new WarpGrid(compositor)
  const depth = guessDepth(picture)
  const nearness = new Float32Array(grid.columns * grid.rows)
  grid.set((x, y, index) => {
    nearness[index] = depth.nearness(x / width, y / height)
  })
  const random = stage.random('camera')
  const named = headingOf(prompt)
  const heading = named ?? { x: random() < 0.5 ? -1 : 1, y: (random() - 0.5) * 0.4 }
  const centre = { x: width * (0.47 + 0.06 * random()), y: height * depth.horizon }
  const far = standsStill(prompt) ? stillShare : 1
  const wide = named ? namedWayShare : 1
  const nearby = depth.hasSubjects ? nearest.aroundSubjects : nearest.open
  const drift = {
    x: Math.min(whole.aside * wide * width, marginShare * beyond(centre.x, width, heading.x)) * heading.x,
    y: Math.min(whole.aside * wide * height, marginShare * beyond(centre.y, height, heading.y)) * heading.y,
  }
  const parallax = { x: nearby.aside * width * heading.x, y: nearby.aside * height * heading.y }
  return [
    (moment) => {
      const travelled = (smoothstep(0, 1, moment.progress) * 0.5 + moment.progress * 0.5) * far
      const crop = 1 / (1 + whole.push * travelled)
      const pushed = nearby.push * travelled
      const place = (x: number, y: number, near: number, source: { x: number; y: number }): void => {
        const scale = crop * (1 - pushed * near)
        const before = near - depth.subject
        source.x = centre.x + (x - centre.x) * scale + travelled * (drift.x + parallax.x * before)
        source.y = centre.y + (y - centre.y) * scale + travelled * (drift.y + parallax.y * before)
      }
      grid.set((x, y, index, source) => {
        // The source of a point depends on the nearness at that source. The second step refines it.
        place(x, y, nearness[index] ?? 0, source)
        place(x, y, depth.nearness(source.x / width, source.y / height), source)
      })
      grid.draw(shown, compositor.planes)
    },
    brief.weather === 'snow' ? paintSnowfall(stage, [235, 240, 250], fadeIn) : undefined,
    brief.weather === 'rain' ? paintRain(stage, [190, 205, 225], fadeIn) : undefined,
  ]
}

/**
 * Returns the length that lies beyond the edge toward which the camera drifts, after the whole
 * push-in.
 */
function beyond(centre: number, side: number, heading: number): number {
  return (heading < 0 ? centre : side - centre) * (1 - 1 / (1 + whole.push))
}

/** Fades the weather in after the first frame, which stays the given image. */
function fadeIn(moment: Moment): number {
  return smoothstep(0.02, 0.3, moment.progress)
}

/** Returns the direction of the camera if the prompt names one. */
function headingOf(prompt: string): { x: number; y: number } | undefined {
  const lower = prompt.toLowerCase()
  if (/\b(pan|move|track|slide)\w*\s+(to\s+the\s+)?left\b|向左/.test(lower)) return { x: -1, y: 0 }
  if (/\b(pan|move|track|slide)\w*\s+(to\s+the\s+)?right\b|向右/.test(lower)) return { x: 1, y: 0 }
  if (/\b(tilt|crane|pan)\w*\s+up\b|向上/.test(lower)) return { x: 0, y: -1 }
  if (/\b(tilt|crane|pan)\w*\s+down\b|向下/.test(lower)) return { x: 0, y: 1 }
  return undefined
}

function standsStill(prompt: string): boolean {
  return /\b(static|fixed|locked|still)\s+(camera|shot)\b|\bcamera\s+(is\s+|stays\s+)?(static|fixed|locked|still)\b|固定镜头/i.test(
    prompt,
  )
}
